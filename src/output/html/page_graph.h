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
 * Adds the column "svg" with the picture, whose ids (dot.h) have the functions' indexes in `chains`
 * as numbers. If Graphviz fails, is missing or takes too long, puts the reason into the head
 * ("svg_problem") and succeeds. NO_MEMORY; IO with `diag` filled: Graphviz could not be run.
 */
MUST_CHECK enum status page_graph_write(const struct output *output,
                                        const struct page_chains *chains, struct json_line *head,
                                        struct page_columns *columns, struct diag *diag);

#endif
