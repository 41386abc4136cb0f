/* SPDX-License-Identifier: MIT */
/*
 * The variables of a page: of each thread and chain those of the first sample of a bucket, as runs
 * of buckets in which they are the same. Where they are more than PAGE_VALUES_BYTES, runs are left
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

struct page_values {       /* all borrowed */
    struct value_log *log; /* changed: threads become the page's, cells chains, times buckets */
    const struct page_entries *entries; /* placed, with times */
    const struct page_chains *chains;
    const struct page_threads *threads;
    const uint32_t *order; /* of chains, as page_profile_order makes it */
};

/* To the head and columns, where what fails is noted, too. Fails only for memory. */
MUST_CHECK enum status page_values_write(const struct page_values *values, struct json_line *head,
                                         struct page_columns *columns);

#endif
