/* SPDX-License-Identifier: MIT */
/*
 * The variables of a page: for each thread and chain their values in the first sample of a bucket,
 * as runs of buckets in which the values are the same. If the runs take more than
 * PAGE_VALUES_BYTES, every second one is left out, as often as needed, and the head says so.
 */
#ifndef OUTPUT_HTML_PAGE_VALUES_H
#define OUTPUT_HTML_PAGE_VALUES_H

#include "base/status.h"
#include "output/html/page_chains.h"
#include "output/html/page_columns.h"
#include "output/html/page_entries.h"
#include "output/html/page_threads.h"
#include "output/html/value_log.h"
#include "output/json_line.h"

#define PAGE_VALUES_BYTES (UINT64_C(8) << 20) /* texts and columns, about, before compression */

struct page_values { /* all borrowed */
    /* Is changed: threads (sources) become the page's, cells the page's chains, times buckets. */
    struct value_log *log;
    const struct page_entries *entries; /* after page_entries_place, with times */
    const struct page_chains *chains;
    const struct page_threads *threads;
    const uint32_t *order; /* order in which chains are written, from page_profile_order */
};

/* Puts the variables into head and columns. Failures are noted there, or are NO_MEMORY. */
MUST_CHECK enum status page_values_write(const struct page_values *values, struct json_line *head,
                                         struct page_columns *columns);

#endif
