/* SPDX-License-Identifier: MIT */
/*
 * The variables of a page: for each thread and chain those of the first sample in a bucket, as runs
 * of buckets in which they are the same. If they take more than PAGE_VALUES_BYTES, runs are left
 * out evenly, and the head says so.
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

#define PAGE_VALUES_BYTES (UINT64_C(8) << 20) /* of texts and columns, about, uncompressed */

struct page_values { /* all borrowed */
    /* Changed: its threads (sources) become the page's, cells the page's chains, times buckets. */
    struct value_log *log;
    const struct page_entries *entries; /* placed, with times */
    const struct page_chains *chains;
    const struct page_threads *threads;
    const uint32_t *order; /* of chains, by page_profile_order */
};

/* Puts them into head and columns, where failures are noted, too, or are NO_MEMORY. */
MUST_CHECK enum status page_values_write(const struct page_values *values, struct json_line *head,
                                         struct page_columns *columns);

#endif
