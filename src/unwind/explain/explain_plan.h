/* SPDX-License-Identifier: MIT */
/*
 * Which instructions of a function are shown: all of a small one, else those around the address in
 * question and those before it, on the ways that lead there, that changed its row. Private to
 * explain*.
 */
#ifndef UNWIND_EXPLAIN_EXPLAIN_PLAN_H
#define UNWIND_EXPLAIN_EXPLAIN_PLAN_H

#include "unwind/explain/explain.h"

#define PLAN_WAYS_MAX 1000000 /* of a function that are looked at */

enum {
    PLANNED_SHOWN = 1,
    PLANNED_MOVES = 2,     /* the row behind it is not the one before it */
    PLANNED_LOSES = 4,     /* and there is none behind it */
    PLANNED_JOINS = 8,     /* a state is kept here */
    PLANNED_ON_WAY = 16,   /* a way from here leads to the address in question */
    PLANNED_GIVES_UP = 32, /* of the states that come here, some have a row and some have none */
};

struct planned_insn {
    uint64_t vaddr;
    uint8_t size, padding;
    uint8_t flags;
};

struct planned_way {
    uint64_t from_vaddr, to_vaddr;
    uint8_t kind; /* enum way_kind */
    bool left_out;
    bool complete; /* the state that it brings has a row */
};

struct plan {
    const struct explain_request *request;
    struct planned_insn *insns; /* owned; by address */
    size_t insn_count, insn_cap;
    struct planned_way *ways; /* owned; by to_vaddr */
    size_t way_count, way_cap;
    size_t target; /* the instruction at the address; insn_count: none */
    size_t lost;   /* nearest to it, where a row was lost on a way to it; insn_count: nowhere */
    bool dynamic;  /* see prologue_is_dynamic */
    bool no_memory;
};

MUST_CHECK enum status plan_make(const struct explain_request *request, struct plan *plan);
void plan_deinit(struct plan *plan);

/* The number of the instruction at `vaddr`; insn_count: none begins there. */
size_t plan_find(const struct plan *plan, uint64_t vaddr);

/* The first of the ways that lead to `vaddr`, by number, and how many. */
size_t plan_ways_to(const struct plan *plan, uint64_t vaddr, size_t *count);

#endif
