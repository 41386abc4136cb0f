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
    /* Frames of shown chains: those without a module, then by module: the programs' own files
     * first, since readers take the first mapping for the captured program, then by kind. */
    uint32_t *frames;
    size_t frame_count;
    /* By frame: its location, from 1 on; frames that differ only in trust share one. 0: not shown.
     */
    uint32_t *location;
    /* Cells that are shown, by chain, stop reason, thread and state. */
    uint32_t *cells;
    size_t cell_count;
    /* Private: */
    uint32_t *path; /* by trie node: its place */
    uint32_t *made; /* by the number of a name in jit_map.h: its place in their order, from 1 on */
    size_t made_size;
    uint32_t *thread; /* by thread: its place; equal for equal names and tids */
};

/* Call pprof_order_deinit whatever the status, which is NO_MEMORY if it fails. */
MUST_CHECK enum status pprof_order_make(struct pprof_order *order, const struct view *view,
                                        const struct title *programs);
void pprof_order_deinit(struct pprof_order *order);

/*
 * Returns the address to write for an address of a module. Addresses of functions made at run time
 * hold numbers in the order in which the functions were met (jit_map.h); these become numbers in
 * the order of the names.
 */
uint64_t pprof_order_addr(const struct pprof_order *order, const struct module *module,
                          uint64_t addr);

/* Whether two cells are written as one sample. */
bool pprof_order_same(const struct pprof_order *order, uint32_t cell_a, uint32_t cell_b);

#endif
