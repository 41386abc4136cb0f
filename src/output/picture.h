/* SPDX-License-Identifier: MIT */
/*
 * Graphs as DOT text, or as what Graphviz makes of it.
 */
#ifndef OUTPUT_PICTURE_H
#define OUTPUT_PICTURE_H

#include "output/format.h"

/* Writes a graph as DOT text. */
typedef enum status picture_dot(const void *context, FILE *out);

/*
 * The graph, drawn as the output's format says, or its DOT text. Where the layout fails
 * (UNSUPPORTED) the text is left in a file beside the output, and `diag` says in which.
 */
MUST_CHECK enum status picture_write(const struct output *output, picture_dot *dot,
                                     const void *context, struct diag *diag);

#endif
