/* SPDX-License-Identifier: MIT */
#include "snapshot/sample_memory.h"

#include <string.h>

static bool holds(const struct snap_region *piece, uint64_t addr, size_t size)
{
    const uint64_t length = piece->end_addr - piece->start_addr;

    return addr >= piece->start_addr && addr - piece->start_addr <= length &&
           size <= length - (addr - piece->start_addr);
}

static bool find_any(const struct snap_region *regions, uint32_t count, uint64_t addr, size_t size,
                     struct snap_region *out)
{
    for (const struct snap_region *r = regions; r < regions + count; r++)
        if (holds(r, addr, size)) {
            *out = *r;
            return true;
        }
    return false;
}

static bool find_wait(const struct snap_sample *sample, uint64_t addr, size_t size,
                      struct snap_region *out)
{
    for (uint32_t i = 0; i < sample->wait_count; i++) {
        const struct snap_wait *wait = &sample->waits[i];

        *out = (struct snap_region){.start_addr = wait->addr,
                                    .end_addr = wait->addr + wait->size,
                                    .bytes = wait->bytes};
        if (wait->kind == SNAP_WAIT_MEMORY && holds(out, addr, size))
            return true;
    }
    return false;
}

bool sample_read(const struct snap_sample *sample, uint64_t addr, void *buffer, size_t size)
{
    struct snap_region piece;

    return (find_wait(sample, addr, size, &piece) ||
            find_any(sample->regions, sample->region_count, addr, size, &piece) ||
            find_any(sample->pointees, sample->pointee_count, addr, size, &piece)) &&
           snap_region_read(&piece, sample->memory, addr, buffer, size);
}

uint64_t sample_memory_time(const struct snap_sample *sample)
{
    uint64_t time_ns = sample->task ? sample->time_ns : 0;

    for (uint32_t i = 0; i < sample->wait_count; i++)
        if (sample->waits[i].kind == SNAP_WAIT_MEMORY && sample->waits[i].time_ns > time_ns)
            time_ns = sample->waits[i].time_ns;
    return time_ns;
}
