/* SPDX-License-Identifier: MIT */
/*
 * The threads of a page: those of the history that pass the filter or have entries, in the order of
 * the hierarchy, then threads that only the profile has. If there are more than PAGE_THREADS_MAX,
 * those with the fewest samples are joined to one thread, the last, "the rest".
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
    uint32_t history; /* index in the history's threads; PAGE_NONE: not there */
    uint32_t profile; /* if not there: index in the profile's threads */
    uint64_t samples; /* samples of the thread's entries */
};
struct page_threads {
    struct page_thread *list; /* owned; without the rest */
    size_t count;
    size_t rest; /* number of threads in the rest, which is thread `count` of the page; 0: none */
    uint64_t rest_samples; /* samples of the threads in the rest */
    uint32_t *source; /* owned; by source (page_entries.h): thread of the page; PAGE_NONE: none */
    size_t source_count;
};
/*
 * Lists the threads of the entries, after page_entries_take, and of `report` (NULL: no history).
 * Fails only with NO_MEMORY; page_threads_deinit is to be called then, too.
 */
MUST_CHECK enum status page_threads_init(struct page_threads *threads, const struct output *output,
                                         const struct report *report,
                                         const struct page_entries *entries);
void page_threads_deinit(struct page_threads *threads);

/* Returns how many threads the page has; the rest, if there is one, counts as one. */
static inline size_t page_threads_count(const struct page_threads *threads)
{
    return threads->count + (threads->rest > 0);
}

/* Returns the index in `list` of a thread of the history; PAGE_NONE: not shown, or in the rest. */
uint32_t page_threads_of(const struct page_threads *threads, uint32_t thread);

/*
 * Puts the threads and the hierarchy into the head. `made`: the timeline, `words`: texts of waits;
 * both NULL without a history. Failures are noted in the head, or are NO_MEMORY.
 */
MUST_CHECK enum status page_threads_write(const struct page_threads *threads,
                                          const struct output *output,
                                          const struct output_timeline *made,
                                          const struct wait_words *words, struct json_line *head);

#endif
