/* SPDX-License-Identifier: MIT */
#include "runtime/jit/load/jit_maps.h"

#include <stdlib.h>

#include "base/vec.h"
#include "runtime/jit/rows/made_rows.h"
#include "symbol/module_set.h"

void jit_maps_clear(struct jit_maps *maps)
{
    for (size_t i = 0; i < maps->count; i++) {
        for (size_t way = 0; way < JIT_WAYS; way++)
            jit_map_destroy(maps->all[i].maps[way]);
        made_rows_destroy(maps->all[i].rows);
        made_rows_destroy(maps->all[i].later_rows);
    }
    maps->count = 0;
    map_clear(&maps->by_pid);
}

void jit_maps_deinit(struct jit_maps *maps)
{
    jit_maps_clear(maps);
    map_deinit(&maps->by_pid);
    free(maps->all);
    *maps = (struct jit_maps){.count = 0};
}

static struct jit_process *process_of(struct jit_maps *maps, uint32_t pid)
{
    const uint64_t *index = map_get(&maps->by_pid, pid);

    return index ? &maps->all[*index] : NULL;
}

struct jit_map *jit_maps_of(struct jit_maps *maps, uint32_t pid)
{
    const struct jit_process *process = process_of(maps, pid);

    return process ? process->maps[JIT_NAMES] : NULL;
}

struct made_rows *jit_maps_rows_of(struct jit_maps *maps, uint32_t pid)
{
    const struct jit_process *process = process_of(maps, pid);

    return process && process->rows ? process->rows : process ? process->later_rows : NULL;
}

enum status jit_maps_get_rows(struct jit_maps *maps, uint32_t pid, bool later,
                              struct made_rows **out)
{
    struct jit_process *process = process_of(maps, pid);
    struct made_rows **rows = later ? &process->later_rows : &process->rows;

    if (!*rows && made_rows_create(rows) != STATUS_OK)
        return STATUS_NO_MEMORY;
    if (process->rows)
        made_rows_set_otherwise(process->rows, process->later_rows);
    *out = *rows;
    return STATUS_OK;
}

/* Links each map to the next one that exists. */
static void link_maps(struct jit_process *process)
{
    struct jit_map *next = NULL;

    for (size_t way = JIT_WAYS; way-- > 0;) {
        if (!process->maps[way])
            continue;
        jit_map_set_otherwise(process->maps[way], next);
        next = process->maps[way];
    }
}

void jit_maps_drop(struct jit_maps *maps, uint32_t pid, enum jit_way way)
{
    struct jit_process *process = process_of(maps, pid);
    struct jit_map *dropped = process ? process->maps[way] : NULL;
    bool changed = false;

    if (!dropped)
        return;
    if (way == JIT_NAMES) { /* it stays, emptied, which cannot fail */
        (void)!jit_map_add(dropped, 0, (const uint8_t *)"", 0, &changed);
        return;
    }
    process->maps[way] = NULL;
    link_maps(process);
    jit_map_destroy(dropped);
}

void jit_maps_forget(struct jit_maps *maps, uint32_t pid)
{
    struct jit_process *process = process_of(maps, pid);

    if (process) {
        made_rows_destroy(process->rows);
        made_rows_destroy(process->later_rows);
        process->rows = process->later_rows = NULL;
    }
    for (unsigned way = 0; way < JIT_WAYS; way++)
        jit_maps_drop(maps, pid, (enum jit_way)way);
}

static enum status add(struct jit_maps *maps, struct pool *names, uint32_t pid)
{
    enum status status = vec_reserve(&maps->all, &maps->cap, maps->count + 1, sizeof(*maps->all));

    if (status != STATUS_OK)
        return status;
    maps->all[maps->count] = (struct jit_process){.maps = {NULL}};
    status = jit_map_create(names, &maps->all[maps->count].maps[JIT_NAMES]);
    if (status != STATUS_OK)
        return status;
    return map_put(&maps->by_pid, pid, maps->count++) ? STATUS_OK : STATUS_NO_MEMORY;
}

enum status jit_maps_get(struct jit_maps *maps, struct module_set *modules, uint32_t pid,
                         enum jit_way way, struct jit_map **out)
{
    struct jit_process *process = process_of(maps, pid);
    struct module *module;
    enum status status = module_set_jit(modules, &module);

    if (status == STATUS_OK && !process) {
        status = maps->count < JIT_MAPS_MAX ? add(maps, &module->jit_names, pid) : STATUS_NOT_FOUND;
        process = process_of(maps, pid);
    }
    if (status == STATUS_OK && !process->maps[way])
        status = jit_map_create(&module->jit_names, &process->maps[way]);
    if (status != STATUS_OK)
        return status;
    link_maps(process);
    *out = process->maps[way];
    return STATUS_OK;
}

enum status jit_maps_add(struct jit_maps *maps, struct module_set *modules,
                         const struct snap_names *names, bool *changed)
{
    struct jit_map *map;
    enum status status = jit_maps_get(maps, modules, names->pid,
                                      names->is_ahead ? JIT_NAMES_LATER : JIT_NAMES, &map);

    if (status != STATUS_OK)
        return status == STATUS_NOT_FOUND ? STATUS_OK : status;
    return jit_map_add(map, names->off, names->bytes, names->size, changed);
}
