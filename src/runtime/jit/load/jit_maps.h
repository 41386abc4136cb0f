/* SPDX-License-Identifier: MIT */
/*
 * The functions that processes made at run time, by pid. Several sources of names ("ways") each
 * have a map; where one map has nothing at an address the next way's map is asked.
 */
#ifndef RUNTIME_JIT_LOAD_JIT_MAPS_H
#define RUNTIME_JIT_LOAD_JIT_MAPS_H

#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "base/status.h"
#include "snapshot/event.h"
#include "runtime/jit/jit_map.h"
#include "symbol/module.h"

/* Most processes; names of further ones are left out. */
#define JIT_MAPS_MAX 4096

enum jit_way {                         /* in the order in which they are asked */
               JIT_NAMES,              /* NAMES records so far, or a file given by the user */
               JIT_SYMBOL_FILES,       /* SYMBOL_FILE records so far */
               JIT_NAMES_LATER,        /* NAMES records of the whole snapshot, read ahead */
               JIT_SYMBOL_FILES_LATER, /* SYMBOL_FILE records of the whole snapshot, read ahead */
               JIT_DUMP,               /* a jitdump (jit_dumps.h), whole */
               JIT_WAYS,
};

struct jit_process {
    struct jit_map *maps[JIT_WAYS]; /* owned; NULL: no names this way; JIT_NAMES's is never NULL */
    /* unwind rows from symbol files: of records so far; of those read ahead; owned; NULL: none */
    struct made_rows *rows, *later_rows;
};

struct jit_maps {            /* zeroed: empty */
    struct map by_pid;       /* pid -> index in `all` */
    struct jit_process *all; /* owned */
    size_t count, cap;
};

void jit_maps_clear(struct jit_maps *maps);
void jit_maps_deinit(struct jit_maps *maps);

/*
 * Returns the map through which the functions of all ways of process `pid` are found, borrowed;
 * NULL: none were added.
 */
struct jit_map *jit_maps_of(struct jit_maps *maps, uint32_t pid);

/*
 * Sets *out to the map of process `pid` for one way, which is made if needed, for the caller to add
 * to; from now on jit_maps_of finds its functions, too. NOT_FOUND: there are JIT_MAPS_MAX processes
 * already; NO_MEMORY.
 */
MUST_CHECK enum status jit_maps_get(struct jit_maps *maps, struct module_set *modules, uint32_t pid,
                                    enum jit_way way, struct jit_map **out);

/* Returns the unwind rows of the process's functions, borrowed; NULL: there are none. */
struct made_rows *jit_maps_rows_of(struct jit_maps *maps, uint32_t pid);

/*
 * Sets *out to the rows of process `pid`, which are made if needed, for the caller to add to: from
 * symbol files so far or, with `later`, read ahead. To be called after jit_maps_get for the
 * process. NO_MEMORY.
 */
MUST_CHECK enum status jit_maps_get_rows(struct jit_maps *maps, uint32_t pid, bool later,
                                         struct made_rows **out);

/* Forgets all functions and rows of process `pid`, also read-ahead ones, as it has called exec. */
void jit_maps_forget(struct jit_maps *maps, uint32_t pid);

/* Forgets the functions of process `pid` that one way named. */
void jit_maps_drop(struct jit_maps *maps, uint32_t pid, enum jit_way way);

/*
 * Takes in a NAMES record; its process may not have been announced yet. *changed is set as by
 * jit_map_add. Ignores the record if there are JIT_MAPS_MAX other processes. Fails with NO_MEMORY
 * only.
 */
MUST_CHECK enum status jit_maps_add(struct jit_maps *maps, struct module_set *modules,
                                    const struct snap_names *names, bool *changed);

#endif
