/* SPDX-License-Identifier: MIT */
/*
 * The order in which pprof.h writes locations and samples: by what they are, not by when they were
 * met, so that the same samples give the same bytes in whatever order and parts they were read.
 */
#ifndef OUTPUT_PPROF_ORDER_H
#define OUTPUT_PPROF_ORDER_H

#include "base/status.h"
#include "graph/title.h"
#include "graph/view.h"

struct pprof_order {
    const struct profile *profile; /* borrowed */
    /* Frames of chains that are shown: outside mappings, then by module; modules have the
     * programs' own files first, as readers take the first for what was captured, then files. */
    uint32_t *frames;
    size_t frame_count;
    /* By frame, from 1 on: frames that differ in trust alone are one location. 0: not shown. */
    uint32_t *location;
    /* Cells that are shown, by chain, thread and state. */
    uint32_t *cells;
    size_t cell_count;
    /* Private: */
    uint32_t *path; /* by trie node */
    uint32_t *made; /* by the number of a name in jit_map.h, from 1 on: its place among them */
    size_t made_size;
    uint32_t *thread; /* by thread; of one name and number it is the same */
};

/* NO_MEMORY. To be ended in any case. */
MUST_CHECK enum status pprof_order_make(struct pprof_order *order, const struct view *view,
                                        const struct title *programs);
void pprof_order_deinit(struct pprof_order *order);

/*
 * The address that is written: functions made at run time have numbers in theirs, which depend on
 * who was met first (jit_map.h); they get those of their names' order.
 */
uint64_t pprof_order_addr(const struct pprof_order *order, const struct module *module,
                          uint64_t addr);

/* Whether two cells are one sample. */
bool pprof_order_same(const struct pprof_order *order, uint32_t cell_a, uint32_t cell_b);

#endif
