/* SPDX-License-Identifier: MIT */
/*
 * The boxes of a drawn call graph: a box is a node or a run of nodes (dot.h), and is known by its
 * outermost node.
 */
#ifndef OUTPUT_DOT_BOX_H
#define OUTPUT_DOT_BOX_H

#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "graph/callgraph.h"

/* Returns the box that a node is in. */
uint32_t dot_box_of(const struct callgraph *graph, uint32_t node);

size_t dot_box_count(const struct callgraph *graph);

/* Write the ids n12_5_7 and e7_9 (dot.h), which are identifiers in DOT and in SVG. */
void dot_box_id(const struct callgraph *graph, uint32_t box, const uint32_t *ids, FILE *out);
void dot_edge_id(const struct callgraph *graph, const struct callgraph_edge *edge,
                 const uint32_t *ids, FILE *out);

/* Writes the lines of a box's names, for inside a DOT string. Fails only with NO_MEMORY. */
MUST_CHECK enum status dot_box_names(const struct callgraph *graph, uint32_t box, FILE *out);

/* Writes all functions of a box, a run's with weights and call sites, and the module; likewise. */
void dot_box_tooltip(const struct callgraph *graph, uint32_t box, FILE *out);

/*
 * Fills rows[edge] with the number of rows, 1 to 4, by which the callee is to be below its caller.
 * Dozens of callees in one row would make the picture too wide: so the boxes whose heaviest caller
 * is the same are dealt to several rows, the heaviest one to the first. Fails only with NO_MEMORY.
 */
MUST_CHECK enum status dot_box_rows(const struct callgraph *graph, uint32_t *rows);

#endif
