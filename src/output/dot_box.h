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

/* Returns the box that a node is in: the outermost node of its run, or the node itself. */
uint32_t dot_box_of(const struct callgraph *graph, uint32_t node);

size_t dot_box_count(const struct callgraph *graph);

/*
 * Write an id that is an identifier in DOT and in SVG (dot.h): of a box "n12", of one with a run of
 * three functions "n12_5_7"; of an edge "e7_9", from function 7 to 9. `ids`: dot_options.ids, the
 * functions' numbers; NULL: their places.
 */
void dot_box_id(const struct callgraph *graph, uint32_t box, const uint32_t *ids, FILE *out);
void dot_edge_id(const struct callgraph *graph, const struct callgraph_edge *edge,
                 const uint32_t *ids, FILE *out);

/*
 * Writes the functions' names as the label has them: shortened, DOT_NAMES_MAX lines at most, for
 * inside a DOT string. Fails only with NO_MEMORY.
 */
MUST_CHECK enum status dot_box_names(const struct callgraph *graph, uint32_t box, FILE *out);

/*
 * Writes a line for each function of the box (a run's with weights and call sites), and one with
 * the module's path, for inside a DOT string.
 */
void dot_box_tooltip(const struct callgraph *graph, uint32_t box, FILE *out);

/*
 * Sets rows[edge] to the number of rows, 1 to 4, by which the callee is to be below its caller.
 * Dozens of callees in one row would make the picture too wide. So where more than 3 boxes have the
 * same heaviest caller, they are dealt to several rows in turn, the box with the heaviest edge to
 * the first; all other edges get 1. Fails only with NO_MEMORY.
 */
MUST_CHECK enum status dot_box_rows(const struct callgraph *graph, uint32_t *rows);

#endif
