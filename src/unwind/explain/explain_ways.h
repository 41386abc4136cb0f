/* SPDX-License-Identifier: MIT */
/*
 * Explains the places where paths meet: origin and state of each path, and what was given up.
 * Private to explain*.
 */
#ifndef UNWIND_EXPLAIN_EXPLAIN_WAYS_H
#define UNWIND_EXPLAIN_EXPLAIN_WAYS_H

#include "unwind/explain/explain_plan.h"
#include "unwind/prologue/prologue_states.h"

/* the most ways to one place that are compared; others are only counted */
#define WAYS_COMPARED_MAX 12
/* the most ways to all shown places that are kept; further ones have no state here */
#define WAYS_KEPT_MAX 4096

struct kept_way {
    struct planned_way way;
    uint32_t state; /* the state that it brings: index in the states of struct kept_ways */
};

/* The ways to the shown places, with their states. */
struct kept_ways {
    const struct plan *plan;
    struct kept_way *items; /* the ways, sorted by to_vaddr; owned */
    size_t count, cap;
    struct states states;
    bool no_memory;
};

/* Fills *out, which borrows `plan`. Fails with NO_MEMORY only; then there is nothing to free. */
MUST_CHECK enum status kept_ways_make(const struct plan *plan, struct kept_ways *out);
void kept_ways_deinit(struct kept_ways *ways);

/*
 * Explains to `out` the ways to `vaddr`; `kept` is the state that the analysis made of their
 * states.
 */
void kept_ways_write(const struct kept_ways *ways, uint64_t vaddr, const struct state *kept,
                     FILE *out);

#endif
