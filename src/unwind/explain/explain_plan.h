/* SPDX-License-Identifier: MIT */
/*
 * Chooses the instructions of a function to show: all of a small function; else those around the
 * address in question and, on the ways that lead there, those that change its row. Private to
 * explain*.
 */
#ifndef UNWIND_EXPLAIN_EXPLAIN_PLAN_H
#define UNWIND_EXPLAIN_EXPLAIN_PLAN_H

#include "unwind/explain/explain.h"

#define PLAN_WAYS_MAX 1000000 /* the most ways of a function; further ones are ignored */

enum {
    PLANNED_SHOWN = 1,
    PLANNED_MOVES = 2,     /* the row or SP after it differs from that before it */
    PLANNED_LOSES = 4,     /* there is a row before it, and none after it */
    PLANNED_JOINS = 8,     /* the analysis keeps a state here, where paths meet */
    PLANNED_ON_WAY = 16,   /* a way from here leads to the address in question */
    PLANNED_GIVES_UP = 32, /* some of the ways that meet here bring a row, some none */
};

struct planned_insn {
    uint64_t vaddr;
    uint8_t size, padding;
    uint8_t flags;
};

struct planned_way {
    uint64_t from_vaddr, to_vaddr;
    uint8_t kind;  /* enum way_kind, how control comes from from_vaddr to to_vaddr */
    bool left_out; /* as left_out of struct explained_way: the way's state was not merged */
    bool complete; /* a row can be made of the state that it brings */
};

struct plan {
    const struct explain_request *request;
    struct planned_insn *insns; /* the function's instructions, sorted by address; owned */
    size_t insn_count, insn_cap;
    struct planned_way *ways; /* the ways to places with states, sorted by to_vaddr; owned */
    size_t way_count, way_cap;
    size_t target; /* index of the instruction at request->vaddr; insn_count: none */
    /* index of the nearest instruction on a way to `target` that lost a row; insn_count: none */
    size_t lost;
    bool dynamic; /* result of prologue_is_dynamic for the function */
    bool no_memory;
};

/*
 * Fills *plan, which borrows `request`. Fails with NO_MEMORY only; then there is nothing to free.
 */
MUST_CHECK enum status plan_make(const struct explain_request *request, struct plan *plan);
void plan_deinit(struct plan *plan);

/* Returns the index of the instruction that begins at `vaddr`; insn_count: none. */
size_t plan_find(const struct plan *plan, uint64_t vaddr);

/*
 * Returns the index of the first way to `vaddr`, and sets *count to the number of ways to it, which
 * follow each other.
 */
size_t plan_ways_to(const struct plan *plan, uint64_t vaddr, size_t *count);

#endif
