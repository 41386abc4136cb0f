/* SPDX-License-Identifier: MIT */
/*
 * What is a box of a drawn call graph: a node, or a run of them (dot.h says what a run looks like).
 * A box is known by its outermost node.
 */
#ifndef OUTPUT_DOT_BOX_H
#define OUTPUT_DOT_BOX_H

#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "graph/callgraph.h"

/* The box that a node is in. */
uint32_t dot_box_of(const struct callgraph *graph, uint32_t node);

/* How many there are. */
size_t dot_box_count(const struct callgraph *graph);

/* n12_5_7: an identifier in DOT and in SVG. */
void dot_box_id(const struct callgraph *graph, uint32_t box, const uint32_t *ids, FILE *out);

/* e7_9 */
void dot_edge_id(const struct callgraph *graph, const struct callgraph_edge *edge,
                 const uint32_t *ids, FILE *out);

/* Its names, in a DOT string. */
MUST_CHECK enum status dot_box_names(const struct callgraph *graph, uint32_t box, FILE *out);

/* All its functions with their weights and call sites, and their module, in a DOT string. */
void dot_box_tooltip(const struct callgraph *graph, uint32_t box, FILE *out);

/*
 * Fills rows[edge] with how many rows its callee is to be below its caller, 1 or more. All that one
 * calls would stand side by side in one row, of dozens far too wide a one; so what it is the
 * heaviest caller of is dealt to several, the heaviest of them to the first.
 */
MUST_CHECK enum status dot_box_rows(const struct callgraph *graph, uint32_t *rows);

#endif
