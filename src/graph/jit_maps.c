/* SPDX-License-Identifier: MIT */
#include "graph/jit_maps.h"

#include <stdlib.h>

#include "base/vec.h"

void jit_maps_clear(struct jit_maps *maps)
{
    for (size_t i = 0; i < maps->count; i++) {
        jit_map_destroy(maps->all[i].told);
        jit_map_destroy(maps->all[i].later);
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

    return process ? process->told : NULL;
}

void jit_maps_forget(struct jit_maps *maps, uint32_t pid)
{
    const struct jit_process *process = process_of(maps, pid);
    bool changed = false;

    if (process) /* which needs no memory */
        (void)!jit_map_add(process->told, 0, (const uint8_t *)"", 0, &changed);
}

static enum status add(struct jit_maps *maps, struct pool *names, uint32_t pid)
{
    enum status status = vec_reserve(&maps->all, &maps->cap, maps->count + 1, sizeof(*maps->all));

    if (status != STATUS_OK)
        return status;
    maps->all[maps->count] = (struct jit_process){.later = NULL};
    status = jit_map_create(names, &maps->all[maps->count].told);
    if (status != STATUS_OK)
        return status;
    return map_put(&maps->by_pid, pid, maps->count++) ? STATUS_OK : STATUS_NO_MEMORY;
}

enum status jit_maps_add(struct jit_maps *maps, struct module_set *modules,
                         const struct snap_names *names, bool *changed)
{
    struct jit_process *process = process_of(maps, names->pid);
    struct module *module;
    enum status status = module_set_jit(modules, &module);

    if (status == STATUS_OK && !process) {
        if (maps->count >= JIT_MAPS_MAX)
            return STATUS_OK;
        status = add(maps, &module->jit_names, names->pid);
        process = process_of(maps, names->pid);
    }
    if (status == STATUS_OK && names->is_ahead && !process->later) {
        status = jit_map_create(&module->jit_names, &process->later);
        if (status == STATUS_OK)
            jit_map_set_otherwise(process->told, process->later);
    }
    return status == STATUS_OK ? jit_map_add(names->is_ahead ? process->later : process->told,
                                             names->off, names->bytes, names->size, changed)
                               : status;
}
