/* SPDX-License-Identifier: MIT */
/* The call graph of a page, as -f svg draws it. */
#ifndef OUTPUT_HTML_PAGE_GRAPH_H
#define OUTPUT_HTML_PAGE_GRAPH_H

#include "base/status.h"
#include "output/format.h"
#include "output/html/page_chains.h"
#include "output/html/page_columns.h"
#include "output/json_line.h"

/*
 * A column with the picture, in whose ids functions have their numbers in the chains (dot.h); or,
 * where Graphviz fails, as when it takes too long, why to the head: the rest of the page is of use.
 * NO_MEMORY; IO with `diag` filled: the system failed.
 */
MUST_CHECK enum status page_graph_write(const struct output *output,
                                        const struct page_chains *chains, struct json_line *head,
                                        struct page_columns *columns, struct diag *diag);

#endif
