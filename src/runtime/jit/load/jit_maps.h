/* SPDX-License-Identifier: MIT */
/*
 * The functions that processes made at run time, by pid. Several sources ("ways") name them, each
 * with a map; where one has nothing at an address the next way's map is asked.
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

/* Processes; names of others are left out. */
#define JIT_MAPS_MAX 4096

enum jit_way {                   /* in the order in which they are asked */
               JIT_NAMES,        /* NAMES records so far, or a file given by the user */
               JIT_SYMBOL_FILES, /* SYMBOL_FILE records so far */
               JIT_NAMES_LATER,  /* the same two, read ahead to the end */
               JIT_SYMBOL_FILES_LATER,
               JIT_DUMP, /* a jitdump that was found, to its end */
               JIT_WAYS,
};

struct jit_process {
    struct jit_map *maps[JIT_WAYS]; /* owned; NULL: nothing in this way; never of JIT_NAMES */
    /* Rows from symbol files so far, and read ahead to the end; owned, NULL: none. */
    struct made_rows *rows, *later_rows;
};

struct jit_maps {            /* zero it */
    struct map by_pid;       /* pid -> index */
    struct jit_process *all; /* owned */
    size_t count, cap;
};

void jit_maps_clear(struct jit_maps *maps);
void jit_maps_deinit(struct jit_maps *maps);

/* Returns the map of all the process's functions, of all ways; NULL: the process has named none. */
struct jit_map *jit_maps_of(struct jit_maps *maps, uint32_t pid);

/*
 * Sets *out to the map of one way, made if needed, to add to; jit_maps_of includes it from now on.
 * NOT_FOUND: too many processes; NO_MEMORY.
 */
MUST_CHECK enum status jit_maps_get(struct jit_maps *maps, struct module_set *modules, uint32_t pid,
                                    enum jit_way way, struct jit_map **out);

/* Returns the rows of the process's functions; NULL: none. */
struct made_rows *jit_maps_rows_of(struct jit_maps *maps, uint32_t pid);

/*
 * Sets *out to the rows from symbol files so far or, with `later`, read ahead, made if needed, to
 * add to. To be called after jit_maps_get for the process. NO_MEMORY.
 */
MUST_CHECK enum status jit_maps_get_rows(struct jit_maps *maps, uint32_t pid, bool later,
                                         struct made_rows **out);

/* Forgets all functions and rows of the process, read-ahead ones too: it runs another program. */
void jit_maps_forget(struct jit_maps *maps, uint32_t pid);

/* Forgets the functions of one way. */
void jit_maps_drop(struct jit_maps *maps, uint32_t pid, enum jit_way way);

/*
 * Takes in a NAMES record; its process may not have been announced yet. *changed as jit_map_add's.
 * Ignores the record if there are too many processes. Only NO_MEMORY fails.
 */
MUST_CHECK enum status jit_maps_add(struct jit_maps *maps, struct module_set *modules,
                                    const struct snap_names *names, bool *changed);

#endif
