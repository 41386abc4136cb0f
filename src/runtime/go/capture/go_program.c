/* SPDX-License-Identifier: MIT */
#include "runtime/go/capture/go_program.h"

#include "snapshot/event.h"
#include "runtime/go/memory/go_version.h"

struct memory_source {
    const struct target *target;
    pid_t tid;
};

static bool read_memory(const void *context, uint64_t addr, void *bytes, size_t size)
{
    const struct memory_source *source = context;

    return target_read(source->target, source->tid, addr, bytes, size) == size;
}

/* Finds the program's writable data, without what the dynamic linker made read-only. */
static const struct map_range *find_data(const struct maps *maps, const struct exec_map *program)
{
    for (size_t i = 0; i < maps->range_len; i++) {
        const struct map_range *range = &maps->ranges[i];

        if (range->place == SNAP_PLACE_FILE && range->prot & MAP_PROT_WRITE && !range->is_shared &&
            maps->files[range->file].inode == program->inode &&
            maps->files[range->file].dev == program->dev)
            return range;
    }
    return NULL;
}

unsigned go_program_version(const struct target *target, pid_t tid, const struct maps *maps,
                            const struct exec_map *program)
{
    const struct memory_source source = {.target = target, .tid = tid};
    const struct goroutine_memory memory = {.read = read_memory,
                                            .context = &source,
                                            .addr_mask = target->machine.addr_mask,
                                            .word_size = target->machine.arch->word_size};
    const struct map_range *data = find_data(maps, program);

    return data ? go_version_find(&memory, data->start_addr, data->end_addr) : 0;
}
