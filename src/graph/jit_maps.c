/* SPDX-License-Identifier: MIT */
#include "graph/jit_maps.h"

#include <stdlib.h>

#include "base/vec.h"

void jit_maps_clear(struct jit_maps *maps)
{
    for (size_t i = 0; i < maps->count; i++)
        jit_map_destroy(maps->all[i]);
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

struct jit_map *jit_maps_of(struct jit_maps *maps, uint32_t pid)
{
    const uint64_t *index = map_get(&maps->by_pid, pid);

    return index ? maps->all[*index] : NULL;
}

static enum status add(struct jit_maps *maps, struct module_set *modules, uint32_t pid)
{
    struct module *module;
    enum status status = module_set_jit(modules, &module);

    if (status == STATUS_OK)
        status = vec_reserve(&maps->all, &maps->cap, maps->count + 1, sizeof(*maps->all));
    if (status == STATUS_OK)
        status = jit_map_create(&module->jit_names, &maps->all[maps->count]);
    if (status != STATUS_OK)
        return status;
    return map_put(&maps->by_pid, pid, maps->count++) ? STATUS_OK : STATUS_NO_MEMORY;
}

enum status jit_maps_add(struct jit_maps *maps, struct module_set *modules,
                         const struct snap_names *names)
{
    enum status status = STATUS_OK;

    if (!jit_maps_of(maps, names->pid)) {
        if (maps->count >= JIT_MAPS_MAX)
            return STATUS_OK;
        status = add(maps, modules, names->pid);
    }
    return status == STATUS_OK
               ? jit_map_add(jit_maps_of(maps, names->pid), names->off, names->bytes, names->size)
               : status;
}
