/* SPDX-License-Identifier: MIT */
/* Shared by the files prologue_*.c of this folder. */
#ifndef UNWIND_PROLOGUE_SOURCE_PRIVATE_H
#define UNWIND_PROLOGUE_SOURCE_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "base/status.h"
#include "unwind/prologue_source.h"

#define ANALYSES_CACHED   4
#define ARRIVAL_DEPTH_MAX 2 /* how deep fragments that are entered from fragments are followed */

struct prologue_source {
    struct module_code *code;
    struct module_functions *functions;
    /* the last analyses, owned: the next fragment may need the same function */
    struct cached_analysis {
        uint64_t start_vaddr;
        /* nesting of arrivals at which it was made: a deeper analysis uses fewer arrivals */
        unsigned depth;
        bool alone; /* its analysis would be the same at every depth */
        struct prologue *prologue;
    } cached[ANALYSES_CACHED];
    unsigned next_cached;
    struct prologue_pool pool;
    uint32_t generation; /* value of the code's `generation` for which `cached` is valid */
    struct map answers;  /* start_vaddr -> index into tables, or ANSWER_NONE */
    struct row_table *tables;
    size_t table_count, table_cap;
    size_t table_rows; /* number of rows in all row tables together */
    /* start_vaddr of each part of a function -> index of the whole in `joined`; or of no part */
    struct map parts;
    struct vaddr_range *joined; /* owned */
    size_t joined_count, joined_cap;
    struct map trap_entries; /* start_vaddr -> the result of prologue_source_is_trap_entry */
    /*
     * Totals of work so far, each with a cap, so that a file of overlapping functions cannot cost
     * any amount of time.
     */
    unsigned vectors_tried;
    unsigned parts_seen;
    uint64_t names_compared;
    uint64_t analysed_bytes;
};

/* Whether a symbol of this name is a block of a function, with a section of its own. */
bool prologue_is_part(const char *name);

/*
 * clang -fbasic-block-sections gives each block a symbol and an FDE. Makes *function, which is one
 * of the blocks, all of those that lie one behind the other:
 *
 *     f        f.__part.1     f.__part.2            g
 *     | push   |   call       |   pop; ret |        |
 *     | <---------- the function --------> |
 *
 * Leaves other functions as they are. Fails with NO_MEMORY only.
 */
MUST_CHECK enum status prologue_join_parts(struct prologue_source *source,
                                           struct code_function *function);

/*
 * The places at which code outside enters a function, with states. The caller zeroes it at first,
 * and sets `alone` to true.
 */
struct arrivals {
    struct prologue_arrival *items; /* the entries found, with their states; owned */
    size_t count, cap;
    /* no other function's analysis was used, so that this function's is the same at every depth */
    bool alone;
    bool no_memory; /* states are missing for want of memory */
    /* Private: */
    /* start of the function with jumps into this one that was analysed last */
    uint64_t parent_vaddr;
    bool parent_failed; /* the analysis of that function failed */
    unsigned tries;     /* how many more functions with jumps into this one may be analysed */
    unsigned jumps;     /* how many jumps were looked at so far */
};

/*
 * Adds to `arrivals` the jumps, cases of jump tables and throws into the function from outside,
 * with their states, and sets input->not_entered to whether the function is a fragment, whose start
 * is not called. A jump to the start in mid-frame makes the function a fragment, unless a symbol
 * says that it is a function. `depth`: nesting of arrivals, at first 0. Fails with NO_MEMORY only.
 */
MUST_CHECK enum status prologue_arrivals_find(struct prologue_source *source,
                                              const struct code_function *function,
                                              struct prologue_input *input,
                                              struct arrivals *arrivals, unsigned depth);

/*
 * Some functions of assembly are only fallen into or jumped to, with a frame that another has made:
 *
 *     memcpy:       push {r0, lr}                     FDE ends
 *     memcpy_base:  ...; pop {r0, pc}                 FDE's first row: CFA = sp + 8
 *
 * If no arrival is known, and no call leads to the function, adds what the first row of its FDE
 * says, and makes it a fragment. Sets arrivals->no_memory if need be.
 */
void prologue_arrive_by_table(struct prologue_source *source, const struct code_function *function,
                              struct prologue_input *input, struct arrivals *arrivals);

/*
 * Sets *out to the analysis of the function that holds `vaddr`, for the arrivals of another
 * function that is analysed at `depth`; owned by `source`, valid until the next call. UNSUPPORTED:
 * `depth` is above ARRIVAL_DEPTH_MAX; else fails as prologue_source_analyse.
 */
MUST_CHECK enum status prologue_source_outer(struct prologue_source *source, uint64_t vaddr,
                                             unsigned depth, const struct prologue **out);

#endif
