/* SPDX-License-Identifier: MIT */
/* One run of cgtop: main.c begins and ends it, refresh.c follows, keys.c acts, draw.c draws. */
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
/* Bytes; a window with more records is shorter than asked for. */
#define TOP_RECORDS_MAX ((size_t)32 << 20)

struct top_counts { /* living threads */
    size_t running, ready, waiting;
    size_t ended; /* threads that ended in the window */
};

struct top_place { /* position in one of the lists */
    enum top_order order;
    bool is_reversed;
    size_t first;  /* the row on the first line */
    size_t cursor; /* the chosen row */
    uint64_t key;  /* its key; the cursor follows it, except from row 0 */
};

struct top {
    struct cgtop_options options;
    struct feed feed;
    struct cache *cache;
    struct live *live;
    struct opener opener;
    struct recent *recent;
    int snapshot_fd; /* in memory: the snapshot of the moment */
    struct engine engine;
    struct moment *moment; /* NULL: none yet */
    struct aspect aspect;
    struct top_counts counts;
    struct shown_rows rows; /* of `list` */

    /* Chosen by the user: */
    enum top_list list;
    enum weight_kind weight;    /* shown now */
    bool weight_given;          /* the user chose it; else each moment has its own */
    struct graph_filter filter; /* by expression and thread */
    char pattern[TOP_PROMPT_MAX + 1];
    char thread_name[64];
    struct top_place places[TOP_LISTS];
    struct map folded;
    bool is_frozen, helps, quits;
    bool is_typing; /* a new expression, so far: */
    char typed[TOP_PROMPT_MAX + 1];
    char message[512]; /* shown for a while in place of the last line */
    uint64_t message_until_ns;
    bool message_is_bad;

    /* State: */
    bool has_ended; /* the capture has ended; `ended` says how */
    char ended[512];
    bool is_stale;       /* records have arrived since the moment was made */
    uint64_t refresh_ns; /* when the next refresh is due */
    uint64_t cost_ns;    /* CPU time of the last refresh */
};

/*
 * refresh.c: reads what the pipe has, without waiting, and notes the capture's end. A failure (IO,
 * BAD_DATA, NO_MEMORY; `diag` is filled) ends cgtop.
 */
MUST_CHECK enum status top_take(struct top *top, struct diag *diag);
/* Makes the moment anew if records have arrived, and sets refresh_ns. Fails as top_take. */
MUST_CHECK enum status top_refresh(struct top *top, struct diag *diag);
/* To be called after a change of filter or weight; of list or order. Fail with NO_MEMORY only. */
MUST_CHECK enum status top_look(struct top *top);
MUST_CHECK enum status top_order_rows(struct top *top);

/* keys.c: acts on a key. Fails with NO_MEMORY only. */
MUST_CHECK enum status top_key(struct top *top, int key);
void top_say(struct top *top, bool is_bad, const char *format, ...) PRINTF_LIKE(3, 4);
/* Scrolls so that the chosen row is visible. */
void top_keep_in_sight(struct top *top);
/* Returns the number of lines for rows. */
int top_page(void);

/* draw.c */
void top_draw(const struct top *top);
/* Returns the name of the i-th order of a list, and sets *order; NULL: there is none. */
const char *top_order_name(enum top_list list, size_t i, enum top_order *order);

#endif
