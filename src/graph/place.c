/* SPDX-License-Identifier: MIT */
#include "graph/place.h"

#include <elf.h>

#include "base/cursor.h"
#include "symbol/module_set.h"

static bool read_source(const void *context, uint64_t addr, void *buffer, size_t size)
{
    return snap_source_memory(context, addr, buffer, size);
}

void place_process(struct module_set *modules, const struct snap_source *source,
                   const struct snap_process *process)
{
    struct process_memory memory = {.read = read_source, .context = source};
    struct cursor c = cursor_init(process->auxv, process->auxv_size);
    uint64_t key, value;

    if (source->kind != SOURCE_CORE)
        return;
    while (cursor_uint(&c, process->word_size, &key) &&
           cursor_uint(&c, process->word_size, &value) && key != AT_NULL) {
        if (key == AT_PHDR)
            memory.phdr_addr = value;
        else if (key == AT_PHNUM)
            memory.phdr_count = value;
        else if (key == AT_PHENT)
            memory.phdr_size = value;
        else if (key == AT_ENTRY)
            memory.entry_addr = value;
    }
    module_set_memory(modules, &memory);
}

void place_end(struct module_set *modules)
{
    module_set_memory(modules, &(struct process_memory){.read = NULL});
}

enum status place_map(struct module_set *modules, const struct snap_source *source,
                      const struct snap_map *map, struct mapping *out)
{
    static const enum module_kind kinds[] = {MODULE_FILE, MODULE_FILE,    MODULE_VDSO,
                                             MODULE_ANON, MODULE_SPECIAL, MODULE_KERNEL};
    static const enum mapping_anchor anchors[] = {[SNAP_ANCHOR_OFFSET] = MAPPING_OFFSET,
                                                  [SNAP_ANCHOR_BIAS] = MAPPING_BIAS,
                                                  [SNAP_ANCHOR_ENTRY] = MAPPING_ENTRY};
    const enum module_kind kind = kinds[map->kind];
    const struct file_identity mapped = {.path = kind == MODULE_ANON ? "[anon]" : map->path,
                                         .build_id = map->build_id,
                                         .build_id_size = map->build_id_size,
                                         .deleted = map->flags & SNAP_MAP_DELETED,
                                         .is_exact =
                                             source->has_files || source->kind == SOURCE_SNAPSHOT,
                                         .origin = {.pid = map->pid,
                                                    .start_addr = map->start_addr,
                                                    .end_addr = map->end_addr,
                                                    .dev = map->dev,
                                                    .inode = map->inode}};
    enum status status;

    *out = (struct mapping){.start_addr = map->start_addr,
                            .end_addr = map->end_addr,
                            .file_off = map->file_off,
                            .anchor = anchors[map->anchor],
                            .anchor_addr = map->anchor_addr};
    status = module_set_get_mapped(modules, kind, &mapped, &out->module);
    if (status == STATUS_OK && kind == MODULE_FILE)
        module_set_place(modules, out, map->is_executable);
    return status;
}
