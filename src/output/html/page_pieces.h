/* SPDX-License-Identifier: MIT */
/*
 * The pieces of time of a page's threads, counted from the first sample of each one's snapshot.
 * They are the timeline's, or where those are too many, joined: each thread has one state in each
 * interval of a width that makes them few enough, the one in which it was longest.
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
    uint64_t start_ns, end_ns;  /* equal only of a wait that was seen at one moment alone */
    uint64_t cpu_ns, untold_ns; /* within, as those of the timeline's pieces */
    enum timeline_state state;
    uint32_t wait;     /* of the history; WAIT_NONE */
    uint32_t function; /* or TIMELINE_NO_FUNCTION */
    bool goes_on;      /* the thread has not run since the piece before */
};

struct page_pieces {
    const struct page_threads *threads; /* borrowed, as is the history */
    const struct history *history;
    struct timeline *parts; /* owned; by snapshot: its part of the timeline, with a clock */
    size_t part_count;
    bool are_merged;   /* waits between which a thread ran are one piece: else there are too many */
    uint64_t width_ns; /* of the intervals; 0: pieces are as they are */
    uint64_t unit_ns;  /* what is fine enough to write them in */
    /* Private, of the thread at hand: */
    struct timeline_cursor cursor;
    uint64_t zero_ns;
    struct page_piece after; /* the next one of the timeline */
    bool has_after;
    struct page_piece moment; /* the next wait without a length */
    bool has_moment;
    uint64_t at_ns;          /* the end of what was read of the timeline */
    size_t span;             /* of the thread: those before are looked at for such waits */
    struct page_piece ahead; /* the next one that is not joined yet */
    bool has_ahead;
    struct page_piece joined; /* the next that is */
    bool has_joined;
};

/* Intervals have the width, or several times that. page_pieces_deinit, whatever the status. */
MUST_CHECK enum status page_pieces_init(struct page_pieces *pieces,
                                        const struct page_threads *threads,
                                        const struct timeline *timeline, uint64_t width_ns);
void page_pieces_deinit(struct page_pieces *pieces);

/* Of the page's thread; of one that has none page_pieces_next is false at once. */
void page_pieces_begin(struct page_pieces *pieces, size_t thread);
bool page_pieces_next(struct page_pieces *pieces, struct page_piece *piece);

#endif
