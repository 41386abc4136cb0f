/* SPDX-License-Identifier: MIT */
/*
 * The part of a page about time: pieces of its threads (page_pieces.h), and how many threads ran in
 * each bucket. Times of each snapshot are counted from its own first sample, so that several
 * snapshots overlap.
 */
#ifndef OUTPUT_HTML_PAGE_TIMELINE_H
#define OUTPUT_HTML_PAGE_TIMELINE_H

#include "base/status.h"
#include "output/html/page_columns.h"
#include "output/html/page_entries.h"
#include "output/html/page_threads.h"
#include "output/html/page_waits.h"
#include "output/json_line.h"
#include "output/threads/output_timeline.h"

/* Most pieces on a page; more are joined: page_pieces.h. */
#define PAGE_PIECES_MAX 120000

/*
 * Puts names of states and functions into the head; the pieces, and how many threads ran when, into
 * columns; and the pieces' waits into `waits`. `entries` must have times. Failures are noted in
 * head and columns, or are NO_MEMORY.
 */
MUST_CHECK enum status page_timeline_write(const struct page_threads *threads,
                                           const struct page_entries *entries,
                                           const struct output_timeline *made,
                                           struct page_wait_list *waits, struct json_line *head,
                                           struct page_columns *columns);

#endif
