/* SPDX-License-Identifier: MIT */
/*
 * What the page's threads did when, as pieces of time (threads/timeline.h), and how many ran in
 * each bucket. Times of each snapshot are counted from its own first sample: several lie above one
 * another.
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

/* Where there are more they are joined: what a thread did for most of a part of the time counts. */
#define PAGE_PIECES_MAX 120000

/*
 * To the head names of states and functions, to columns the pieces and the curve; of entries that
 * have times. What fails is noted in both, or is a lack of memory.
 */
MUST_CHECK enum status page_timeline_write(const struct page_threads *threads,
                                           const struct page_entries *entries,
                                           const struct output_timeline *made,
                                           struct page_wait_list *waits, struct json_line *head,
                                           struct page_columns *columns);

#endif
