/* SPDX-License-Identifier: MIT */
/*
 * Orders locations and samples for pprof.h by their contents, not by when they were read, so that
 * the same samples give the same bytes, in whatever order and parts they are read.
 */
#ifndef OUTPUT_PPROF_ORDER_H
#define OUTPUT_PPROF_ORDER_H

#include "base/status.h"
#include "graph/title.h"
#include "graph/view.h"

struct pprof_order {
    const struct profile *profile; /* borrowed */
    /*
     * Frames of shown chains, sorted: those without a module, then by module: the programs' own
     * files first, since readers take the first mapping for the captured program, then by kind.
     */
    uint32_t *frames;
    size_t frame_count;
    /*
     * By frame of the profile: number of its location, from 1 on; frames that differ only in trust
     * share a location. 0: not shown.
     */
    uint32_t *location;
    /* Shown cells of the profile, sorted by chain, stop reason, thread and state. */
    uint32_t *cells;
    size_t cell_count;
    /* Private: */
    uint32_t *path; /* by trie node: rank in the order of chains */
    uint32_t *made; /* by number of a name in jit_map.h: rank of the name, from 1 on */
    size_t made_size;
    uint32_t *thread; /* by thread of the profile: rank; equal for equal names and tids */
};

/*
 * Fills *order for the shown chains and cells of a view. Fails only with NO_MEMORY;
 * pprof_order_deinit is to be called then, too.
 */
MUST_CHECK enum status pprof_order_make(struct pprof_order *order, const struct view *view,
                                        const struct title *programs);
void pprof_order_deinit(struct pprof_order *order);

/*
 * Returns the address to write for `addr` of a module: `addr` itself but for functions made at run
 * time, whose addresses contain numbers in the order in which the functions were met (jit_map.h);
 * these become numbers in the order of the functions' names.
 */
uint64_t pprof_order_addr(const struct pprof_order *order, const struct module *module,
                          uint64_t addr);

/* Whether two cells are written as one sample. */
bool pprof_order_same(const struct pprof_order *order, uint32_t cell_a, uint32_t cell_b);

#endif
