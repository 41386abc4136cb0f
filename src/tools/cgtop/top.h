/* SPDX-License-Identifier: MIT */
/*
 * The state of one run of cgtop: main.c begins and ends it, refresh.c reads and analyses samples,
 * keys.c acts on keys, draw.c draws.
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

#define TOP_PROMPT_MAX  200u /* the most bytes of an expression that can be typed */
#define TOP_FOLDED_MAX  4096u
#define TOP_LINES_MIN   10
#define TOP_COLUMNS_MIN 40
#define TOP_HEAD_LINES  5 /* lines of the screen above the rows */
/* The most bytes of records that are kept; a window with more is shorter than asked for. */
#define TOP_RECORDS_MAX ((size_t)32 << 20)

struct top_counts { /* numbers of threads by their state; of those that live, but for `ended` */
    size_t running, ready, waiting;
    size_t ended; /* number of threads that have ended in the window */
};

struct top_place { /* position and order in one of the lists */
    enum top_order order;
    bool is_reversed;
    size_t first;  /* index of the row on the first line */
    size_t cursor; /* index of the chosen row */
    uint64_t key;  /* key of the chosen row, which the cursor follows, except from row 0 */
};

struct top {
    struct cgtop_options options;
    struct feed feed;
    struct cache *cache;
    struct live *live;
    struct opener opener;
    struct recent *recent;
    int snapshot_fd; /* a file in memory with the snapshot that `moment` is made of */
    struct engine engine;
    struct moment *moment; /* the moment that is shown; owned; NULL: none was made yet */
    struct aspect aspect;
    struct top_counts counts;
    struct shown_rows rows; /* rows of the list that is shown (`list`) */

    /* Chosen by the user: */
    enum top_list list;
    enum weight_kind weight; /* the weight that is shown now */
    bool weight_given; /* the user chose `weight`; else moment_weight chooses at each moment */
    struct graph_filter filter; /* filter by the expression and the thread that the user chose */
    char pattern[TOP_PROMPT_MAX + 1];
    char thread_name[64];
    struct top_place places[TOP_LISTS];
    struct map folded;
    bool is_frozen, helps, quits;
    bool is_typing; /* the user types a new expression, so far `typed` */
    char typed[TOP_PROMPT_MAX + 1];
    char message[512]; /* shown in place of the last line until message_until_ns */
    uint64_t message_until_ns;
    bool message_is_bad;

    /* State: */
    bool has_ended; /* the capture has ended; the text `ended` says how */
    char ended[512];
    bool is_stale;       /* records have arrived since the moment was made */
    uint64_t refresh_ns; /* when the next refresh is due, by clock_now_ns */
    uint64_t cost_ns;    /* CPU time that the last refresh took */
};

/*
 * refresh.c: takes the records that the feed's pipe has, without waiting, and notes the capture's
 * end. Fails with IO, BAD_DATA or NO_MEMORY, and `diag` filled; cgtop cannot go on then.
 */
MUST_CHECK enum status top_take(struct top *top, struct diag *diag);
/*
 * Makes the moment anew if records have arrived and there was a sample, else only the rows; sets
 * refresh_ns to the time of the next refresh. Fails as moment_read, with IO or with NO_MEMORY;
 * cgtop cannot go on then, and `diag` may be left as it was.
 */
MUST_CHECK enum status top_refresh(struct top *top, struct diag *diag);
/*
 * top_look: makes aspect and rows anew; call it after a change of filter or weight. top_order_rows:
 * makes only the rows anew; call it after a change of list or order. Fail with NO_MEMORY only.
 */
MUST_CHECK enum status top_look(struct top *top);
MUST_CHECK enum status top_order_rows(struct top *top);

/*
 * top_key (keys.c): acts on a key that screen_key returned; fails with NO_MEMORY only. top_say:
 * sets the message that is shown for a while; `is_bad`: as an error.
 */
MUST_CHECK enum status top_key(struct top *top, int key);
void top_say(struct top *top, bool is_bad, const char *format, ...) PRINTF_LIKE(3, 4);
/* Scrolls the list so that the chosen row is visible. */
void top_keep_in_sight(struct top *top);
/* Returns the number of the screen's lines that show rows; at least 1. */
int top_page(void);

/* Draws everything on the screen (draw.c). */
void top_draw(const struct top *top);
/*
 * Returns the name of order number `i`, from 0 on, of a list, and sets *order; static storage;
 * NULL: there are no more.
 */
const char *top_order_name(enum top_list list, size_t i, enum top_order *order);

#endif
