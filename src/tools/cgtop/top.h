/* SPDX-License-Identifier: MIT */
/*
 * One run of cgtop: main.c begins and ends it, refresh.c follows the process, keys.c does what is
 * typed, draw.c shows it.
 */
#ifndef TOOLS_CGTOP_TOP_H
#define TOOLS_CGTOP_TOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "confine/opener.h"
#include "graph/filter.h"
#include "recent/recent.h"
#include "tools/cgtop/cgtop.h"
#include "tools/cgtop/engine.h"
#include "tools/cgtop/feed.h"
#include "tools/cgtop/moment.h"
#include "tools/cgtop/rows.h"

#define TOP_PROMPT_MAX  200u /* bytes that can be typed */
#define TOP_FOLDED_MAX  4096u
#define TOP_LINES_MIN   10
#define TOP_COLUMNS_MIN 40
#define TOP_HEAD_LINES  5 /* above the rows */
/* Bytes of records at most; a window with more is shorter than asked for. */
#define TOP_RECORDS_MAX ((size_t)32 << 20)

struct top_counts { /* of threads that live */
    size_t running, ready, waiting;
    size_t ended; /* in the window */
};

struct top_place { /* in one of the lists */
    enum top_order order;
    bool is_reversed;
    size_t first;  /* row on the first line */
    size_t cursor; /* row that is chosen */
    uint64_t key;  /* of it; it is followed, but for the first one */
};

struct top {
    struct cgtop_options options;
    struct feed feed;
    struct cache *cache;
    struct live *live;
    struct opener opener;
    struct recent *recent;
    int snapshot_fd; /* of what is shown: the snapshot that it was made of, in memory */
    struct engine engine;
    struct moment *moment; /* NULL: none yet */
    struct aspect aspect;
    struct top_counts counts;
    struct shown_rows rows; /* of the list that is shown */

    /* What is wanted: */
    enum top_list list;
    enum weight_kind weight;    /* that is shown */
    bool weight_given;          /* it was asked for; else each moment has its own */
    struct graph_filter filter; /* the expression, and the thread */
    char pattern[TOP_PROMPT_MAX + 1];
    char thread_name[64];
    struct top_place places[TOP_LISTS];
    struct map folded;
    bool is_frozen, helps, quits;
    bool is_typing; /* a new expression, which is: */
    char typed[TOP_PROMPT_MAX + 1];
    char message[512]; /* for a while in the place of the last line */
    uint64_t message_until_ns;
    bool message_is_bad;

    /* What has become of it: */
    bool has_ended; /* the capture */
    char ended[512];
    bool is_stale;       /* records have come since the moment was made */
    uint64_t refresh_ns; /* when the next is due */
    uint64_t cost_ns;    /* CPU time that the last one took */
};

/* refresh.c: takes what the pipe has. IO, BAD_DATA, NO_MEMORY with `diag` filled: it is over. */
MUST_CHECK enum status top_take(struct top *top, struct diag *diag);
/* The moment is made anew. As above. */
MUST_CHECK enum status top_refresh(struct top *top, struct diag *diag);
/* Another filter or weight; another list or order. They fail only for memory. */
MUST_CHECK enum status top_look(struct top *top);
MUST_CHECK enum status top_order_rows(struct top *top);

/* keys.c: what a key is for. As above. */
MUST_CHECK enum status top_key(struct top *top, int key);
void top_say(struct top *top, bool is_bad, const char *format, ...) PRINTF_LIKE(3, 4);
/* Brings the chosen row into sight. */
void top_keep_in_sight(struct top *top);
/* Lines for rows. */
int top_page(void);

/* draw.c */
void top_draw(const struct top *top);
/* The orders of a list, from the left column to the right; NULL: there are no more. */
const char *top_order_name(enum top_list list, size_t i, enum top_order *order);

#endif
