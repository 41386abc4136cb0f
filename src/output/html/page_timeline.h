/* SPDX-License-Identifier: MIT */
/*
 * What the page's threads did when, as pieces of time (threads/timeline.h), and how many ran in each
 * bucket. Times of each snapshot are counted from its own first sample: several lie above one
 * another.
 */
#ifndef OUTPUT_HTML_PAGE_TIMELINE_H
#define OUTPUT_HTML_PAGE_TIMELINE_H

#include "base/map.h"
#include "base/status.h"
#include "output/html/columns.h"
#include "output/html/page_entries.h"
#include "output/html/page_threads.h"
#include "output/json_line.h"
#include "output/threads/output_timeline.h"

/* Where there are more they are joined: what a thread did for most of a part of the time counts. */
#define PAGE_PIECES_MAX 120000

/* What pieces wait for, in the order in which they name it: of the history's waits. */
struct page_wait_list { /* zeroed: none */
    struct map number;  /* wait -> its place in list */
    uint32_t *list;     /* owned */
    size_t count, cap;
};

void page_wait_list_deinit(struct page_wait_list *waits);

/* The place of a wait in the list, to which it is added when it is new. Only NO_MEMORY fails. */
MUST_CHECK enum status page_wait_list_find(struct page_wait_list *waits, uint32_t wait,
                                           uint32_t *number);

/*
 * To the head names of states and functions, to columns the pieces and the curve; of entries that
 * have times. What fails is noted in both, or is a lack of memory.
 */
MUST_CHECK enum status page_timeline_write(const struct page_threads *threads,
                                           const struct page_entries *entries,
                                           const struct output_timeline *made,
                                           struct page_wait_list *waits, struct json_line *head,
                                           struct columns *columns);

#endif
