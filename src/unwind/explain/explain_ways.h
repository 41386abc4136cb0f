/* SPDX-License-Identifier: MIT */
/* Where paths meet: from where, what each brings, what was given up. Private to explain*. */
#ifndef UNWIND_EXPLAIN_EXPLAIN_WAYS_H
#define UNWIND_EXPLAIN_EXPLAIN_WAYS_H

#include "unwind/explain/explain_plan.h"
#include "unwind/prologue/prologue_states.h"

#define WAYS_COMPARED_MAX 12   /* of one place; the others are only counted */
#define WAYS_KEPT_MAX     4096 /* of all that are shown */

struct kept_way {
    struct planned_way way;
    uint32_t state; /* index into states */
};

/* The states that come to the places that are shown. */
struct kept_ways {
    const struct plan *plan;
    struct kept_way *items; /* owned; in the plan's order */
    size_t count, cap;
    struct states states;
    bool no_memory;
};

MUST_CHECK enum status kept_ways_make(const struct plan *plan, struct kept_ways *out);
void kept_ways_deinit(struct kept_ways *ways);

/* Writes about the ways to `vaddr`, where `kept` is the state that was made of them. */
void kept_ways_write(const struct kept_ways *ways, uint64_t vaddr, const struct state *kept,
                     FILE *out);

#endif
