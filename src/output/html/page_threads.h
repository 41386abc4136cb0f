/* SPDX-License-Identifier: MIT */
/*
 * The threads of a page: those of the history that the filter shows or that have entries, in the
 * order of the hierarchy, then those of the profile alone. If they are more than PAGE_THREADS_MAX,
 * those with the fewest samples are one thread, the last, which says how many they are.
 */
#ifndef OUTPUT_HTML_PAGE_THREADS_H
#define OUTPUT_HTML_PAGE_THREADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "output/format.h"
#include "output/html/page_entries.h"
#include "output/json_line.h"
#include "output/threads/output_timeline.h"
#include "threads/blocking/wait_words.h"

#define PAGE_THREADS_MAX 10000

struct page_thread {
    uint32_t history; /* in the history's threads; PAGE_NONE: not known there */
    uint32_t profile; /* if so: in the profile's threads */
    uint64_t samples;
};

struct page_threads {
    struct page_thread *list; /* owned */
    size_t count;
    size_t rest; /* threads that are one thread, numbered list's `count`; 0: none */
    uint64_t rest_samples;
    uint32_t *source; /* owned; by source (page_entries.h): the page's thread; PAGE_NONE */
    size_t source_count;
};

/*
 * `report`: NULL without a history. Call page_threads_deinit whatever the status, which is
 * NO_MEMORY if it fails.
 */
MUST_CHECK enum status page_threads_init(struct page_threads *threads, const struct output *output,
                                         const struct report *report,
                                         const struct page_entries *entries);
void page_threads_deinit(struct page_threads *threads);

/* Returns the number of the page's threads, with the last one for the rest. */
static inline size_t page_threads_count(const struct page_threads *threads)
{
    return threads->count + (threads->rest > 0);
}

/* Returns the page's number of a history's thread; PAGE_NONE: not there, or one of the rest. */
uint32_t page_threads_of(const struct page_threads *threads, uint32_t thread);

/*
 * Puts the threads and the hierarchy into the head. `made` and `words`: NULL without a history.
 * Failures are noted in the head, or are NO_MEMORY.
 */
MUST_CHECK enum status page_threads_write(const struct page_threads *threads,
                                          const struct output *output,
                                          const struct output_timeline *made,
                                          const struct wait_words *words, struct json_line *head);

#endif
