/* SPDX-License-Identifier: MIT */
/* Shared by prologue_source.c and prologue_arrivals.c. */
#ifndef UNWIND_PROLOGUE_SOURCE_PRIVATE_H
#define UNWIND_PROLOGUE_SOURCE_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "base/status.h"
#include "unwind/prologue_source.h"

#define ANALYSES_CACHED   4
#define ARRIVAL_DEPTH_MAX 2 /* nesting of fragments that are entered from fragments */

struct prologue_source {
    struct module_code *code;
    struct module_functions *functions;
    /* the last analyses: the next fragment may need the same function */
    struct cached_analysis {
        uint64_t start_vaddr;
        unsigned depth; /* in arrivals of arrivals: a deeper analysis uses fewer arrivals */
        bool alone;     /* the analysis is the same at every depth */
        struct prologue *prologue;
    } cached[ANALYSES_CACHED];
    unsigned next_cached;
    struct prologue_pool pool;
    uint32_t generation; /* code->generation for which `cached` is valid */
    struct map answers;  /* start_vaddr -> index into tables, or ANSWER_NONE */
    struct row_table *tables;
    size_t table_count, table_cap;
    size_t table_rows;       /* in all tables */
    struct map trap_entries; /* start_vaddr -> 1: exceptions enter the function; 0: not */
    /* Totals so far, each with a cap: a file of overlapping functions must not cost for ever. */
    unsigned vectors_tried;
    uint64_t names_compared;
    uint64_t analysed_bytes;
};

/* States in which code outside enters a function. Zero it, and set `alone`. */
struct arrivals {
    struct prologue_arrival *items; /* owned */
    size_t count, cap;
    bool alone; /* nothing outside the function was used: its analysis is the same at every depth */
    bool no_memory; /* states are missing */
    /* Private: */
    uint64_t parent_vaddr; /* start of the last function with jumps into this one */
    bool parent_failed;    /* it has no analysis */
    unsigned tries;        /* further such functions that may be analysed */
    unsigned jumps;        /* looked at so far */
};

/*
 * Finds the jumps, cases of jump tables and throws into the function from outside, with their
 * states, and sets input->not_entered if the function's start is no entry (a fragment). A jump to
 * the start in mid-frame makes it a fragment, unless a symbol says that it is a function. Only
 * NO_MEMORY fails.
 */
MUST_CHECK enum status prologue_arrivals_find(struct prologue_source *source,
                                              const struct code_function *function,
                                              struct prologue_input *input,
                                              struct arrivals *arrivals, unsigned depth);

/*
 * Returns the analysis of the function that holds `vaddr`, for the arrivals of another function at
 * `depth`; borrowed until the next call. UNSUPPORTED: deeper than ARRIVAL_DEPTH_MAX; else as
 * prologue_source_analyse.
 */
MUST_CHECK enum status prologue_source_outer(struct prologue_source *source, uint64_t vaddr,
                                             unsigned depth, const struct prologue **out);

#endif
