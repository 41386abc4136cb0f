/* SPDX-License-Identifier: MIT */
/*
 * The entries of a page: the weights of a thread in one chain and state within one bucket of time.
 * They are the sample log's entries whose cells the view shows; if the log is empty or lacks
 * inputs, the profile's cells, without times. Members of an entry after each step:
 *
 *                          log_entry.thread     log_entry.cell          log_entry.slot
 *     page_entries_take    source               chain of the profile    slot of the log
 *     page_entries_place   thread of the page   chain of the page       bucket
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
 * Return the number of a source, the thread that entries come from: a thread of the history, or,
 * for samples without one, a thread of the profile.
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
    struct sample_log *log; /* borrowed; has the entries after page_entries_take */
    struct sample_log base; /* owned; the baseline's entries, all of thread 0 and bucket 0 */
    bool is_calls;          /* from a trace of calls: log_entry.weight[0] counts calls */
    bool has_time;          /* entries have buckets; else all are of bucket 0 */
    /* With has_time: begin of bucket 0, from the log's time 0; width, number of buckets. */
    uint64_t from_ns, bucket_ns, buckets;
    uint64_t unit_ns; /* unit in which weights of time are written, rounded */
    /* Exact sums of weights: of all samples, of those shown; of the baseline's. */
    struct weights totals, shown, base_totals, base_shown;
    bool *is_used; /* owned; by chain of the profile: the chain is shown */
};

void page_entries_deinit(struct page_entries *entries);

/*
 * Fills `entries` from `log`, whose threads are sources and whose cells are the profile's; the log
 * is changed, and borrowed. `has_sums`: the log lacks an input that had only sums of samples.
 * Fails only with NO_MEMORY.
 */
MUST_CHECK enum status page_entries_take(struct page_entries *entries, const struct output *output,
                                         struct sample_log *log, bool has_sums);

/*
 * Converts entries to the page's threads (thread_of[source]), chains and buckets, joins entries
 * that are equal but for weights, and counts page_chain.entries. Fails only with NO_MEMORY.
 */
MUST_CHECK enum status page_entries_place(struct page_entries *entries, const uint32_t *thread_of,
                                          struct page_chains *chains);

/*
 * Puts weights, times and states into the head, and the entries into columns. `order`: from
 * page_profile_order. Failures are noted in head and columns.
 */
void page_entries_write(const struct page_entries *entries, const uint32_t *order,
                        size_t thread_count, struct json_line *head, struct page_columns *columns);

/* Returns the index of a sample's state in the head's "states"; 0: not known. */
unsigned page_state_index(char state);

#endif
