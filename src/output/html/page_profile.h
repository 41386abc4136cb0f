/* SPDX-License-Identifier: MIT */
/*
 * The part of a page that says what its chains are: functions, modules and files to the head,
 * frames, the trie and the chains to columns.
 */
#ifndef OUTPUT_HTML_PAGE_PROFILE_H
#define OUTPUT_HTML_PAGE_PROFILE_H

#include "base/status.h"
#include "output/html/page_columns.h"
#include "output/html/page_chains.h"
#include "output/json_line.h"

/*
 * Numbers the chains by how many entries they have, the most first. The caller frees it; by place
 * in the list. NULL: out of memory.
 */
uint32_t *page_profile_order(const struct page_chains *chains);

/* `order` as above: the chains are written in it. What fails is noted in both. */
MUST_CHECK enum status page_profile_write(const struct page_chains *chains, const uint32_t *order,
                                          struct json_line *head, struct page_columns *columns);

#endif
