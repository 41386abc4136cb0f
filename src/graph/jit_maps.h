/* SPDX-License-Identifier: MIT */
/*
 * What the processes of a snapshot tell of functions that they have made, by pid. There are some
 * ways to tell it; where one tells nothing, the next one holds.
 */
#ifndef GRAPH_JIT_MAPS_H
#define GRAPH_JIT_MAPS_H

#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "base/status.h"
#include "snapshot/event.h"
#include "symbol/jit_map.h"
#include "symbol/module.h"

/* Processes; what others tell is left out. */
#define JIT_MAPS_MAX 4096

enum jit_way {                   /* the first one goes first */
               JIT_NAMES,        /* NAMES records, or a file that is given: so far */
               JIT_SYMBOL_FILES, /* SYMBOL_FILE records: so far */
               JIT_NAMES_LATER,  /* both by the end */
               JIT_SYMBOL_FILES_LATER,
               JIT_DUMP, /* a jitdump that was found: by the end */
               JIT_WAYS,
};

struct jit_process {
    struct jit_map *maps[JIT_WAYS]; /* owned; NULL: nothing is told so, but for JIT_NAMES */
    /* Of symbol files: rows, as they were told so far, and by the end; owned, NULL: none */
    struct made_rows *rows, *later_rows;
};

struct jit_maps {            /* zero it to begin with */
    struct map by_pid;       /* pid -> index */
    struct jit_process *all; /* owned */
    size_t count, cap;
};

void jit_maps_clear(struct jit_maps *maps);
void jit_maps_deinit(struct jit_maps *maps);

/* All that is told of the process's functions; NULL: it has told nothing. */
struct jit_map *jit_maps_of(struct jit_maps *maps, uint32_t pid);

/*
 * What is told in that way alone, to add to it; then jit_maps_of has it. NOT_FOUND: there are too
 * many processes; NO_MEMORY.
 */
MUST_CHECK enum status jit_maps_get(struct jit_maps *maps, struct module_set *modules, uint32_t pid,
                                    enum jit_way way, struct jit_map **out);

/* What is told of its functions' rows; NULL: nothing. */
struct made_rows *jit_maps_rows_of(struct jit_maps *maps, uint32_t pid);

/*
 * Those of symbol files so far, or by the end, to add to them: as jit_maps_get, behind which it is
 * called. NO_MEMORY.
 */
MUST_CHECK enum status jit_maps_get_rows(struct jit_maps *maps, uint32_t pid, bool later,
                                         struct made_rows **out);

/* The process runs another program: what was told, of all times, is of the one before. */
void jit_maps_forget(struct jit_maps *maps, uint32_t pid);

/* Forgets what is told in one way. */
void jit_maps_drop(struct jit_maps *maps, uint32_t pid, enum jit_way way);

/*
 * Takes a NAMES record, whose process need not be known yet. *changed as jit_map_add's. Only
 * NO_MEMORY fails.
 */
MUST_CHECK enum status jit_maps_add(struct jit_maps *maps, struct module_set *modules,
                                    const struct snap_names *names, bool *changed);

#endif
