/* SPDX-License-Identifier: MIT */
/*
 * The threads of a page: those of the history that the filter shows or that have entries, in the
 * order of the hierarchy, then those that only the profile knows. Of very many the ones with the
 * fewest samples are one, the last, which says how many it is.
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
    uint32_t history; /* in its threads; PAGE_NONE: not known there */
    uint32_t profile; /* then: in the profile's */
    uint64_t samples;
};

struct page_threads {
    struct page_thread *list; /* owned */
    size_t count;
    size_t rest; /* threads that are one more, behind those of the list; 0: there is none */
    uint64_t rest_samples; /* that those have */
    uint32_t *source; /* owned; by source of an entry (page_entries.h): the page's; or PAGE_NONE */
    size_t source_count;
};

/* `report` is NULL where there is no history. Fails only for memory. */
MUST_CHECK enum status page_threads_init(struct page_threads *threads, const struct output *output,
                                         const struct report *report,
                                         const struct page_entries *entries);
void page_threads_deinit(struct page_threads *threads);

/* How many the page has. */
static inline size_t page_threads_count(const struct page_threads *threads)
{
    return threads->count + (threads->rest > 0);
}

/* The page's number of a thread of the history; PAGE_NONE: it is not there by itself. */
uint32_t page_threads_of(const struct page_threads *threads, uint32_t thread);

/*
 * To the head: threads and the hierarchy. `made` is NULL where there is no history, `words` are of
 * it. What fails is noted in the head.
 */
MUST_CHECK enum status page_threads_write(const struct page_threads *threads,
                                          const struct output *output,
                                          const struct output_timeline *made,
                                          const struct wait_words *words, struct json_line *head);

#endif
