/* SPDX-License-Identifier: MIT */
/* What the processes of a snapshot tell of functions that they have made, by pid. */
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

struct jit_process {
    struct jit_map *told;  /* so far; owned */
    struct jit_map *later; /* by the end, for what is not told yet; owned, NULL: not known */
};

struct jit_maps {            /* zero it to begin with */
    struct map by_pid;       /* pid -> index */
    struct jit_process *all; /* owned */
    size_t count, cap;
};

void jit_maps_clear(struct jit_maps *maps);
void jit_maps_deinit(struct jit_maps *maps);

/* NULL: the process has told nothing. */
struct jit_map *jit_maps_of(struct jit_maps *maps, uint32_t pid);

/* The process runs another program: what was told so far is of the one before. */
void jit_maps_forget(struct jit_maps *maps, uint32_t pid);

/*
 * Takes a NAMES record, whose process need not be known yet. *changed as jit_map_add's. Only
 * NO_MEMORY fails.
 */
MUST_CHECK enum status jit_maps_add(struct jit_maps *maps, struct module_set *modules,
                                    const struct snap_names *names, bool *changed);

#endif
