/* SPDX-License-Identifier: MIT */
/* Explains where paths meet: origin and state of each, what was given up. Private to explain*. */
#ifndef UNWIND_EXPLAIN_EXPLAIN_WAYS_H
#define UNWIND_EXPLAIN_EXPLAIN_WAYS_H

#include "unwind/explain/explain_plan.h"
#include "unwind/prologue/prologue_states.h"

#define WAYS_COMPARED_MAX 12   /* ways to one place; others are only counted */
#define WAYS_KEPT_MAX     4096 /* ways to all shown places; those beyond have no state here */

struct kept_way {
    struct planned_way way;
    uint32_t state; /* index into states */
};

/* The ways to the shown places, with their states. */
struct kept_ways {
    const struct plan *plan;
    struct kept_way *items; /* owned; by to_vaddr */
    size_t count, cap;
    struct states states;
    bool no_memory;
};

/* Borrows `plan`. Only NO_MEMORY fails. */
MUST_CHECK enum status kept_ways_make(const struct plan *plan, struct kept_ways *out);
void kept_ways_deinit(struct kept_ways *ways);

/* Explains the ways to `vaddr`; `kept` is the state that the analysis made of them. */
void kept_ways_write(const struct kept_ways *ways, uint64_t vaddr, const struct state *kept,
                     FILE *out);

#endif
