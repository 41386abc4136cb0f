/* SPDX-License-Identifier: MIT */
/*
 * Writes graphs as DOT text, or as pictures that Graphviz draws from it.
 */
#ifndef OUTPUT_PICTURE_H
#define OUTPUT_PICTURE_H

#include "output/format.h"
#include "output/render.h"

/* Writes the graph `context` as DOT text to `out`. */
typedef enum status picture_dot(const void *context, FILE *out);

#define PICTURE_PATH_MAX 4096

/*
 * Sets `path` to the file in which the DOT text is left when a layout fails: "OUTPUT.dot" for the
 * path `output` of the output; NULL (standard output): "callgraph.dot".
 */
void picture_text_path(const char *output, char path[PICTURE_PATH_MAX]);

/* Calls render_begin for `drawing`; *out is for output.renderer. DRAWN_NOT: sets *out to NULL. */
MUST_CHECK enum status picture_begin(enum output_drawing drawing, bool confined,
                                     struct renderer **out, struct diag *diag);

/*
 * Writes the graph that dot(context) describes to output->file: as a picture or, with DRAWN_NOT, as
 * DOT text. If the layout fails (UNSUPPORTED, NOT_FOUND) the text is left in the file of
 * picture_text_path, which `diag` names. Fails like `dot` and render_dot.
 */
MUST_CHECK enum status picture_write(const struct output *output, picture_dot *dot,
                                     const void *context, struct diag *diag);

#endif
