/* SPDX-License-Identifier: MIT */
/*
 * Graphs as DOT text, or as what Graphviz makes of it.
 */
#ifndef OUTPUT_PICTURE_H
#define OUTPUT_PICTURE_H

#include "output/format.h"
#include "output/render.h"

/* Writes a graph as DOT text. */
typedef enum status picture_dot(const void *context, FILE *out);

#define PICTURE_PATH_MAX 4096

/* Where the text is left when a layout fails; `output`: --output, or NULL. */
void picture_text_path(const char *output, char path[PICTURE_PATH_MAX]);

/* As render_begin, for output.renderer: where something is drawn at all, else NULL. */
MUST_CHECK enum status picture_begin(enum output_drawing drawing, bool confined,
                                     struct renderer **out, struct diag *diag);

/*
 * The graph, drawn as the output's format says, or its DOT text. Where the layout fails
 * (UNSUPPORTED, NOT_FOUND) the text is left in a file beside the output, and `diag` says in which.
 */
MUST_CHECK enum status picture_write(const struct output *output, picture_dot *dot,
                                     const void *context, struct diag *diag);

#endif
