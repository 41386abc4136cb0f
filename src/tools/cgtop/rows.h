/* SPDX-License-Identifier: MIT */
/*
 * A moment as lines of a table, in the order in which they are shown: functions, the tree of
 * callers and callees, or threads.
 */
#ifndef TOOLS_CGTOP_ROWS_H
#define TOOLS_CGTOP_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "tools/cgtop/moment.h"

enum top_list { TOP_FUNCTIONS, TOP_TREE, TOP_THREADS };
#define TOP_LISTS 3

/* The columns that rows can be ordered by, from the left to the right. */
enum top_order { ORDER_SELF, ORDER_TOTAL, ORDER_NAME, ORDER_TID, ORDER_STATE, ORDER_CPU };

struct shown_row {
    uint64_t key; /* the same for what is the same in the next moment: of names, or the tid */
    /* Functions and the tree, of the view's weight: */
    uint64_t self, total;
    const char *name, *module; /* clean; they live as long as the aspect */
    uint32_t level;            /* of the tree: of indentation */
    bool has_kids, is_folded;
    uint32_t cut; /* instead of a function: so many more, whose sum is `total` */
    /* Threads: */
    uint32_t thread; /* in the history */
    uint32_t tid;
    uint64_t cpu_ns, wall_ns; /* of the CPU time what was used in so much time */
    enum timeline_state state;
    bool has_ended;
    char *what; /* what it waits for; owned, clean */
    char *in;   /* in which function; the same */
};

struct shown_rows { /* zeroed: none */
    struct shown_row *list;
    size_t count, cap;
};

struct rows_wanted {
    const struct moment *moment;
    const struct aspect *aspect;
    enum top_order order;
    bool is_reversed;
    const struct map *folded; /* keys of the tree's rows whose callees are not shown */
    bool is_filtered;         /* only threads of which the aspect shows something */
    bool with_ended;          /* threads that have ended, too */
};

/* Makes them anew. Fail only for memory. */
MUST_CHECK enum status rows_of_functions(struct shown_rows *rows, const struct rows_wanted *wanted);
MUST_CHECK enum status rows_of_tree(struct shown_rows *rows, const struct rows_wanted *wanted);
MUST_CHECK enum status rows_of_threads(struct shown_rows *rows, const struct rows_wanted *wanted);

/* There are none any more; or none, and no memory for them. */
void rows_clear(struct shown_rows *rows);
void rows_deinit(struct shown_rows *rows);

#endif
