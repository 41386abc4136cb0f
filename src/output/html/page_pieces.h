/* SPDX-License-Identifier: MIT */
/*
 * The pieces of time of a page's threads, in ns from the first sample of the thread's snapshot: the
 * timeline's pieces, and waits that were seen at one moment only. If there are too many pieces they
 * are joined: time is divided into intervals of equal width, and in each a thread has the state in
 * which it was longest.
 */
#ifndef OUTPUT_HTML_PAGE_PIECES_H
#define OUTPUT_HTML_PAGE_PIECES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "output/html/page_threads.h"
#include "threads/timeline.h"

struct page_piece {
    uint64_t start_ns, end_ns;  /* equal only for a wait that was seen at one moment */
    uint64_t cpu_ns, untold_ns; /* cpu_ns and untold_ns of struct timeline_piece */
    enum timeline_state state;
    uint32_t wait;     /* index in the history's waits; WAIT_NONE: none */
    uint32_t function; /* as in struct timeline_piece; TIMELINE_NO_FUNCTION: none */
    bool goes_on;      /* the thread has not run since its piece before */
};

struct page_pieces {
    const struct page_threads *threads; /* borrowed */
    const struct history *history;      /* borrowed */
    struct timeline *parts; /* owned; by snapshot: the snapshot's part of the timeline */
    size_t part_count;
    bool are_merged;   /* neighbouring equal waits are one piece, even if the thread ran between */
    uint64_t width_ns; /* width of the intervals; 0: pieces are not joined */
    uint64_t unit_ns;  /* unit in which the page's times are written */
    /* Private, for the thread at hand: */
    struct timeline_cursor cursor;
    uint64_t zero_ns;
    struct page_piece after; /* the timeline's next piece */
    bool has_after;
    struct page_piece moment; /* the next wait that was seen at one moment */
    bool has_moment;
    uint64_t at_ns;          /* end of the timeline's piece that was returned last */
    size_t span;             /* the next span of the thread to search for `moment` */
    struct page_piece ahead; /* the next piece to join, or its rest */
    bool has_ahead;
    struct page_piece joined; /* the next piece to return, joined */
    bool has_joined;
};

/*
 * Chooses are_merged and the intervals' width so that there are at most PAGE_PIECES_MAX pieces, or
 * as many as threads: not joined if that is enough, else `width_ns`, doubled as often as needed.
 * Borrows the arguments. Fails only with NO_MEMORY; page_pieces_deinit is to be called then, too.
 */
MUST_CHECK enum status page_pieces_init(struct page_pieces *pieces,
                                        const struct page_threads *threads,
                                        const struct timeline *timeline, uint64_t width_ns);
void page_pieces_deinit(struct page_pieces *pieces);

/*
 * page_pieces_begin chooses a thread, an index in threads->list. Each page_pieces_next then sets
 * *piece to the thread's next piece, in the order of time; false: there are no more.
 */
void page_pieces_begin(struct page_pieces *pieces, size_t thread);
bool page_pieces_next(struct page_pieces *pieces, struct page_piece *piece);

#endif
