/* SPDX-License-Identifier: MIT */
/*
 * The pieces of time of a page's threads, counted from the first sample of the thread's snapshot.
 * They are those of the timeline, and waits that were seen at one moment. If they are too many they
 * are joined: in each interval of time a thread has the state in which it was longest. The
 * intervals are as wide as needed.
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
    uint64_t cpu_ns, untold_ns; /* as in struct timeline_piece */
    enum timeline_state state;
    uint32_t wait;     /* of the history; WAIT_NONE */
    uint32_t function; /* or TIMELINE_NO_FUNCTION */
    bool goes_on;      /* the thread has not run since the piece before */
};

struct page_pieces {
    const struct page_threads *threads; /* borrowed, as is the history */
    const struct history *history;
    struct timeline *parts; /* owned; by snapshot: its part of the timeline, on its clock */
    size_t part_count;
    bool are_merged;   /* neighbouring equal waits are one piece, even if the thread ran between */
    uint64_t width_ns; /* of the intervals; 0: pieces are not joined */
    uint64_t unit_ns;  /* fine enough to write times in */
    /* Private, for the thread at hand: */
    struct timeline_cursor cursor;
    uint64_t zero_ns;
    struct page_piece after; /* the timeline's next piece */
    bool has_after;
    struct page_piece moment; /* the next wait without a length */
    bool has_moment;
    uint64_t at_ns;          /* the end of the timeline's last piece */
    size_t span;             /* the next span to search for waits without a length */
    struct page_piece ahead; /* the next piece to join */
    bool has_ahead;
    struct page_piece joined; /* the next joined piece */
    bool has_joined;
};

/*
 * Chooses the width of intervals: none, `width_ns`, or that doubled until there are at most
 * PAGE_PIECES_MAX pieces, or one for each thread. Borrows the arguments. Call page_pieces_deinit
 * whatever the status, which is NO_MEMORY if it fails.
 */
MUST_CHECK enum status page_pieces_init(struct page_pieces *pieces,
                                        const struct page_threads *threads,
                                        const struct timeline *timeline, uint64_t width_ns);
void page_pieces_deinit(struct page_pieces *pieces);

/* Begins with a thread of the page; page_pieces_next returns its pieces, false: no more. */
void page_pieces_begin(struct page_pieces *pieces, size_t thread);
bool page_pieces_next(struct page_pieces *pieces, struct page_piece *piece);

#endif
