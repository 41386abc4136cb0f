/* SPDX-License-Identifier: MIT */
/*
 * The part of a page about its chains: functions, modules and files in the head; frames, the trie
 * and the chains in columns.
 */
#ifndef OUTPUT_HTML_PAGE_PROFILE_H
#define OUTPUT_HTML_PAGE_PROFILE_H

#include "base/status.h"
#include "output/html/page_columns.h"
#include "output/html/page_chains.h"
#include "output/json_line.h"

/*
 * Returns an array for the caller to free: by index in chains->list the number with which the chain
 * is written; 0 is the chain with the most entries. NULL: out of memory.
 */
uint32_t *page_profile_order(const struct page_chains *chains);

/*
 * Puts that part into head and columns. `order`: from page_profile_order. Failures are noted in
 * head and columns, or are NO_MEMORY.
 */
MUST_CHECK enum status page_profile_write(const struct page_chains *chains, const uint32_t *order,
                                          struct json_line *head, struct page_columns *columns);

#endif
