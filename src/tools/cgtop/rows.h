/* SPDX-License-Identifier: MIT */
/*
 * Turns a moment (moment.h) into rows of a table, in the order shown: functions, the tree of calls,
 * or threads.
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

/* The column that rows are sorted by. */
enum top_order { ORDER_SELF, ORDER_TOTAL, ORDER_NAME, ORDER_TID, ORDER_STATE, ORDER_CPU };

struct shown_row {
    uint64_t key; /* identifies the same row in later moments: a hash of names, or the tid */
    /* For functions and the tree; amounts are in the view's weight: */
    uint64_t self, total;
    const char *name, *module; /* without control characters; borrowed from the aspect */
    uint32_t level;            /* tree: how far the row is indented, from 0 */
    bool has_kids, is_folded;
    uint32_t cut; /* > 0: the row stands for so many light functions; `total` is their sum */
    /* For threads: */
    uint32_t thread; /* the thread's index in the history */
    uint32_t tid;
    uint64_t cpu_ns, wall_ns; /* CPU time used in a time of wall_ns; both 0: not known */
    enum timeline_state state;
    bool has_ended;
    char *what; /* what it waits for, or ""; owned; no control characters */
    char *in;   /* the function that it is in, or ""; owned; no control characters */
};

struct shown_rows { /* rows of a list; all members zero: none */
    struct shown_row *list;
    size_t count, cap;
};

struct rows_wanted {
    const struct moment *moment;
    const struct aspect *aspect;
    enum top_order order;
    bool is_reversed;
    const struct map *folded; /* set of keys of the tree's rows whose callees are hidden */
    bool is_filtered;         /* list only threads with a sample in the aspect */
    bool with_ended;          /* threads that have ended are listed, too */
};

/*
 * Replace all rows by those of the moment's functions, of its tree of calls, or of its threads,
 * sorted as wanted. Fail with NO_MEMORY only.
 */
MUST_CHECK enum status rows_of_functions(struct shown_rows *rows, const struct rows_wanted *wanted);
MUST_CHECK enum status rows_of_tree(struct shown_rows *rows, const struct rows_wanted *wanted);
MUST_CHECK enum status rows_of_threads(struct shown_rows *rows, const struct rows_wanted *wanted);

/* Remove all rows and free their texts; rows_deinit also frees the list. */
void rows_clear(struct shown_rows *rows);
void rows_deinit(struct shown_rows *rows);

#endif
