/* SPDX-License-Identifier: MIT */
/*
 * Chooses the instructions of a function to show: all of a small function; else those around the
 * address in question and, on the ways that lead there, those that change its row. Private to
 * explain*.
 */
#ifndef UNWIND_EXPLAIN_EXPLAIN_PLAN_H
#define UNWIND_EXPLAIN_EXPLAIN_PLAN_H

#include "unwind/explain/explain.h"

#define PLAN_WAYS_MAX 1000000 /* ways of a function; those beyond are ignored */

enum {
    PLANNED_SHOWN = 1,
    PLANNED_MOVES = 2,     /* the row (or SP) behind it differs from the one before it */
    PLANNED_LOSES = 4,     /* there is a row before it and none behind it */
    PLANNED_JOINS = 8,     /* a state is kept here */
    PLANNED_ON_WAY = 16,   /* a way from here leads to the address in question */
    PLANNED_GIVES_UP = 32, /* of the ways that meet here some bring a row, some none */
};

struct planned_insn {
    uint64_t vaddr;
    uint8_t size, padding;
    uint8_t flags;
};

struct planned_way {
    uint64_t from_vaddr, to_vaddr;
    uint8_t kind;  /* enum way_kind */
    bool left_out; /* see struct explained_way */
    bool complete; /* its state has a row */
};

struct plan {
    const struct explain_request *request;
    struct planned_insn *insns; /* owned; by address */
    size_t insn_count, insn_cap;
    struct planned_way *ways; /* owned; by to_vaddr */
    size_t way_count, way_cap;
    size_t target; /* index of the instruction at the address; insn_count: none */
    size_t lost;   /* index of the nearest one on a way there that lost a row; insn_count: none */
    bool dynamic;  /* see prologue_is_dynamic */
    bool no_memory;
};

/* Borrows `request`. Only NO_MEMORY fails. */
MUST_CHECK enum status plan_make(const struct explain_request *request, struct plan *plan);
void plan_deinit(struct plan *plan);

/* Returns the index of the instruction that begins at `vaddr`; insn_count: none. */
size_t plan_find(const struct plan *plan, uint64_t vaddr);

/* Returns the index of the first way to `vaddr`, and their number in *count. */
size_t plan_ways_to(const struct plan *plan, uint64_t vaddr, size_t *count);

#endif
