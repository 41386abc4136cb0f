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
 * Returns, by place of a chain in the list, its number in the order in which chains are written:
 * those with the most entries first. The caller frees it. NULL: out of memory.
 */
uint32_t *page_profile_order(const struct page_chains *chains);

/* `order`: from page_profile_order. Failures are noted in head and columns, or are NO_MEMORY. */
MUST_CHECK enum status page_profile_write(const struct page_chains *chains, const uint32_t *order,
                                          struct json_line *head, struct page_columns *columns);

#endif
