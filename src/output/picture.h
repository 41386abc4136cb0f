/* SPDX-License-Identifier: MIT */
/*
 * Writes graphs as DOT text, or as pictures that Graphviz draws from it.
 */
#ifndef OUTPUT_PICTURE_H
#define OUTPUT_PICTURE_H

#include "output/format.h"
#include "output/render.h"

/* Writes a graph as DOT text. */
typedef enum status picture_dot(const void *context, FILE *out);

#define PICTURE_PATH_MAX 4096

/*
 * Sets `path` to the file in which the text is left when a layout fails: OUTPUT.dot, or
 * callgraph.dot; `output`: --output, or NULL.
 */
void picture_text_path(const char *output, char path[PICTURE_PATH_MAX]);

/* Does what render_begin promises, for output.renderer; DRAWN_NOT: sets *out to NULL. */
MUST_CHECK enum status picture_begin(enum output_drawing drawing, bool confined,
                                     struct renderer **out, struct diag *diag);

/*
 * Writes the graph to output->file, as its format's `drawing` says: as a picture or as DOT text. If
 * the layout fails (UNSUPPORTED, NOT_FOUND) it leaves the text in a file beside the output, which
 * `diag` names. Fails like `dot` and render_dot.
 */
MUST_CHECK enum status picture_write(const struct output *output, picture_dot *dot,
                                     const void *context, struct diag *diag);

#endif
