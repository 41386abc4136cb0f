/* SPDX-License-Identifier: MIT */
#include "runtime/jit/load/jit_sources.h"

void jit_sources_clear(struct jit_sources *jit)
{
    jit_maps_clear(&jit->maps);
    jit_files_clear(&jit->files);
    jit_dumps_clear(&jit->dumps);
}

void jit_sources_deinit(struct jit_sources *jit)
{
    jit_maps_deinit(&jit->maps);
    jit_files_deinit(&jit->files);
    jit_dumps_deinit(&jit->dumps);
}

/* Returns the map that the user gave for the process; NULL: none. */
static struct jit_map *given_map(const struct jit_sources *jit, uint32_t pid)
{
    struct jit_map *given = jit->given ? jit_maps_of(jit->given, pid) : NULL;

    return given || !jit->given ? given : jit_maps_of(jit->given, 0);
}

void jit_sources_give(struct jit_sources *jit, uint32_t pid, struct address_space *space)
{
    struct jit_map *given = given_map(jit, pid);

    space->jit = given ? given : jit_maps_of(&jit->maps, pid);
    space->made_rows = jit_maps_rows_of(&jit->maps, pid);
}

enum status jit_sources_exec(struct jit_sources *jit, uint32_t pid, uint64_t time_ns)
{
    jit_maps_forget(&jit->maps, pid);
    jit_files_forget(&jit->files, pid);
    return jit_dumps_exec(&jit->dumps, pid, time_ns);
}

enum status jit_sources_read_dumps(struct jit_sources *jit, struct module_set *modules,
                                   struct jit_dump_owner owner, bool *changed)
{
    return given_map(jit, owner.pid)
               ? STATUS_OK
               : jit_dumps_read(&jit->dumps, &jit->maps, modules, owner, changed);
}
