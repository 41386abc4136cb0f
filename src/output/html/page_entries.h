/* SPDX-License-Identifier: MIT */
/*
 * The entries of a page: what each thread did in one chain and state within one bucket of time.
 * They are those of the log that the view shows; where there is none, or it is not of all that was
 * read, those of the profile, without times.
 *
 *     page_entries_take       which are shown; their threads are sources, their cells chains of
 *                             the profile
 *     page_entries_place      threads are the page's, cells the page's chains, slots buckets
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
 * Where an entry is from: a thread of the history, or, of samples without one, of the profile. Both
 * count from 0.
 */
static inline uint32_t page_source_of_history(uint32_t thread)
{
    return thread * 2;
}

static inline uint32_t page_source_of_profile(uint32_t thread)
{
    return thread * 2 + 1;
}

struct page_entries {       /* zeroed: none */
    struct sample_log *log; /* borrowed; holds the entries from page_entries_take on */
    struct sample_log base; /* the same of the baseline: all of thread and bucket 0 */
    bool is_calls;          /* of a trace: the first weight is calls */
    bool has_time;
    /* With has_time: bucket 0 begins at from_ns since the first sample; of `buckets`. */
    uint64_t from_ns, bucket_ns, buckets;
    uint64_t unit_ns; /* what times are rounded to */
    /* Exact sums of all samples, of those shown, of the baseline's. */
    struct weights totals, shown, base_totals, base_shown;
    bool *is_used; /* owned; by chain of the profile: it is shown */
};

void page_entries_deinit(struct page_entries *entries);

/*
 * `log` has threads that are sources, and cells of the profile. `has_sums`: some input had sums of
 * samples only. Fails only for memory.
 */
MUST_CHECK enum status page_entries_take(struct page_entries *entries, const struct output *output,
                                         struct sample_log *log, bool has_sums);

/* The page's thread by source; counts what chains have. Fails only for memory. */
MUST_CHECK enum status page_entries_place(struct page_entries *entries, const uint32_t *thread_of,
                                          struct page_chains *chains);

/*
 * To the head what weights and times there are, to columns the entries; `order` is that of chains,
 * as page_profile_order makes it. What fails is noted in both.
 */
void page_entries_write(const struct page_entries *entries, const uint32_t *order,
                        size_t thread_count, struct json_line *head, struct page_columns *columns);

/* The state of a sample by its index in the head's `states`, which begins with what is not known.
 */
unsigned page_state_index(char state);

#endif
