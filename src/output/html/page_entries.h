/* SPDX-License-Identifier: MIT */
/*
 * The entries of a page: the weights of a thread in one chain and state within one bucket of time.
 * They come from the log, as far as the view shows it; if the log is empty or lacks inputs, from
 * the profile, without times. Steps:
 *
 *                          an entry's thread    cell                    slot
 *     page_entries_take    source               chain of the profile    the log's
 *     page_entries_place   the page's           the page's chain        bucket
 *     page_entries_write
 */
#ifndef OUTPUT_HTML_PAGE_ENTRIES_H
#define OUTPUT_HTML_PAGE_ENTRIES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "output/format.h"
#include "output/html/page_columns.h"
#include "output/html/page_chains.h"
#include "output/html/sample_log.h"
#include "output/json_line.h"

#define PAGE_BUCKETS_MAX 2048

/*
 * Numbers of sources, the threads that entries come from: a thread of the history, or, for samples
 * without one, of the profile.
 */
static inline uint32_t page_source_of_history(uint32_t thread)
{
    return thread * 2;
}

static inline uint32_t page_source_of_profile(uint32_t thread)
{
    return thread * 2 + 1;
}

struct page_entries {       /* zeroed: empty */
    struct sample_log *log; /* borrowed; holds the entries from page_entries_take on */
    struct sample_log base; /* the baseline's entries, all of thread and bucket 0 */
    bool is_calls;          /* a trace of calls: the first weight is calls */
    bool has_time;
    /* With has_time: where bucket 0 begins after the first sample; width, number of buckets. */
    uint64_t from_ns, bucket_ns, buckets;
    uint64_t unit_ns; /* that written times are rounded to */
    /* Exact sums: of all samples, of those shown, of the baseline's. */
    struct weights totals, shown, base_totals, base_shown;
    bool *is_used; /* owned; by chain of the profile: it is shown */
};

void page_entries_deinit(struct page_entries *entries);

/*
 * Fills `entries` from `log`, whose threads are sources and whose cells are the profile's, and
 * changes the log. `has_sums`: an input had sums of samples only. Fails only with NO_MEMORY.
 */
MUST_CHECK enum status page_entries_take(struct page_entries *entries, const struct output *output,
                                         struct sample_log *log, bool has_sums);

/*
 * Moves entries to threads of the page (`thread_of`: by source), the page's chains and buckets,
 * joins equal ones, and counts the entries of each chain. Fails only with NO_MEMORY.
 */
MUST_CHECK enum status page_entries_place(struct page_entries *entries, const uint32_t *thread_of,
                                          struct page_chains *chains);

/*
 * Puts weights, times and states into the head, and the entries into columns. `order`: of chains,
 * by page_profile_order. Failures are noted in head and columns.
 */
void page_entries_write(const struct page_entries *entries, const uint32_t *order,
                        size_t thread_count, struct json_line *head, struct page_columns *columns);

/* Returns the index of a sample's state in the head's `states`; 0: not known. */
unsigned page_state_index(char state);

#endif
