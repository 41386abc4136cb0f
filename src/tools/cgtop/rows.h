/* SPDX-License-Identifier: MIT */
/* A moment as rows of a table, in the order shown: functions, the tree of calls, or threads. */
#ifndef TOOLS_CGTOP_ROWS_H
#define TOOLS_CGTOP_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "tools/cgtop/moment.h"

enum top_list { TOP_FUNCTIONS, TOP_TREE, TOP_THREADS };
#define TOP_LISTS 3

/* The columns to order rows by, from left to right. */
enum top_order { ORDER_SELF, ORDER_TOTAL, ORDER_NAME, ORDER_TID, ORDER_STATE, ORDER_CPU };

struct shown_row {
    uint64_t key; /* identifies the row in later moments: a hash of names, or the tid */
    /* Functions and tree, in the view's weight: */
    uint64_t self, total;
    const char *name, *module; /* cleaned; borrowed from the aspect */
    uint32_t level;            /* tree: level of indentation */
    bool has_kids, is_folded;
    uint32_t cut; /* not 0: the row stands for so many light functions; `total` is their sum */
    /* Threads: */
    uint32_t thread; /* index in the history */
    uint32_t tid;
    uint64_t cpu_ns, wall_ns; /* CPU time used in wall_ns; both 0: not known */
    enum timeline_state state;
    bool has_ended;
    char *what; /* what it waits for, or ""; owned, cleaned */
    char *in;   /* the function that it is in; owned, cleaned */
};

struct shown_rows { /* all zero: no rows */
    struct shown_row *list;
    size_t count, cap;
};

struct rows_wanted {
    const struct moment *moment;
    const struct aspect *aspect;
    enum top_order order;
    bool is_reversed;
    const struct map *folded; /* keys of the tree's rows whose callees are hidden */
    bool is_filtered;         /* only threads with a sample in the aspect */
    bool with_ended;          /* also threads that have ended */
};

/* Replace the rows by those of functions, of the tree, of threads. Fail with NO_MEMORY only. */
MUST_CHECK enum status rows_of_functions(struct shown_rows *rows, const struct rows_wanted *wanted);
MUST_CHECK enum status rows_of_tree(struct shown_rows *rows, const struct rows_wanted *wanted);
MUST_CHECK enum status rows_of_threads(struct shown_rows *rows, const struct rows_wanted *wanted);

/* Remove all rows; rows_deinit also frees the memory. */
void rows_clear(struct shown_rows *rows);
void rows_deinit(struct shown_rows *rows);

#endif
