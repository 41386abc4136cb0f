/* SPDX-License-Identifier: MIT */
/* What prologue_source.c and prologue_arrivals.c share. */
#ifndef UNWIND_PROLOGUE_SOURCE_PRIVATE_H
#define UNWIND_PROLOGUE_SOURCE_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "base/status.h"
#include "unwind/prologue_source.h"

#define ANALYSES_CACHED   4
#define ARRIVAL_DEPTH_MAX 2 /* fragments that are entered from fragments */

struct prologue_source {
    struct module_code *code;
    struct module_functions *functions;
    /* of functions that jump into fragments: the next fragment asks again */
    struct cached_analysis {
        uint64_t start_vaddr;
        unsigned depth; /* in arrivals of arrivals: the deeper, the fewer of them it has */
        bool alone;     /* it is the same at every depth */
        struct prologue *prologue;
    } cached[ANALYSES_CACHED];
    unsigned next_cached;
    struct prologue_pool pool;
    uint32_t generation; /* of the code that the cached analyses are about */
    struct map answers;  /* start_vaddr -> index into tables, or ANSWER_NONE */
    struct row_table *tables;
    size_t table_count, table_cap;
    size_t table_rows;       /* in all tables */
    struct map trap_entries; /* start_vaddr -> 1: exceptions enter the function; 0 */
    unsigned vectors_tried;  /* so far */
    uint64_t names_compared; /* so far */
    uint64_t analysed_bytes; /* so far: a file of overlapping functions must not cost for ever */
};

/* States that arrive from outside, as they are found. Zero it, and set `alone`. */
struct arrivals {
    struct prologue_arrival *items; /* owned */
    size_t count, cap;
    /* nothing outside the function was looked at: its analysis is the same at every depth */
    bool alone;
    bool no_memory; /* states are missing */
    /* Private: */
    uint64_t parent_vaddr; /* of the function that was asked last */
    bool parent_failed;    /* it has no analysis */
    unsigned tries;        /* so many more may be asked */
    unsigned jumps;        /* that were looked at */
};

/*
 * Who jumps into the function from outside, and in which state. A jump to its start in mid-frame
 * makes it a fragment of another function, unless a symbol says that it is one by itself.
 */
MUST_CHECK enum status prologue_arrivals_find(struct prologue_source *source,
                                              const struct code_function *function,
                                              struct prologue_input *input,
                                              struct arrivals *arrivals, unsigned depth);

/*
 * The analysis of the function that holds `vaddr`, while what enters another one is looked for.
 * Valid until the next is asked for.
 */
MUST_CHECK enum status prologue_source_outer(struct prologue_source *source, uint64_t vaddr,
                                             unsigned depth, const struct prologue **out);

#endif
