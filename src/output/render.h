/* SPDX-License-Identifier: MIT */
/*
 * Layout and drawing by Graphviz: the only module that knows it. Graphviz's library draws, which is
 * loaded when a picture is drawn; in builds without it, as static ones are, the program dot.
 *
 * The library's lines of a label are spread over the box by up to 0.2 of the font's size:
 * Graphviz puts them so close that they touch.
 *
 * Drawing runs in a child process: a layout that takes for ever or crashes does not harm the
 * caller.
 */
#ifndef OUTPUT_RENDER_H
#define OUTPUT_RENDER_H

#include <stdbool.h>
#include <stdio.h>

#include "base/diag.h"
#include "base/status.h"

enum render_format { RENDER_SVG, RENDER_PNG, RENDER_PDF };

#define RENDER_SECONDS 30 /* the default limit */

struct render_options {
    enum render_format format;
    unsigned seconds;          /* limit for layout and drawing */
    bool confined;             /* the child confines itself (confine.h) before it reads the text */
    struct renderer *renderer; /* from render_begin, with the same format */
};

/*
 * Starts the program that draws, for one picture, while the process is not confined yet: afterwards
 * it can run no programs. Sets *out to NULL where the library draws. Call it while there is one
 * thread. Fails with NO_MEMORY, or IO and `diag` filled.
 */
MUST_CHECK enum status render_begin(enum render_format format, bool confined, struct renderer **out,
                                    struct diag *diag);

void render_end(struct renderer *renderer); /* may be NULL */

/*
 * Lays out NUL-terminated DOT text and writes the picture to `out`, all or nothing. UNSUPPORTED:
 * it took too long, or Graphviz failed. NOT_FOUND: no program to draw with is installed. IO: `out`
 * or the system failed. NO_MEMORY. `diag`, which may be NULL, says why. Call it while no other
 * thread runs.
 */
MUST_CHECK enum status render_dot(const char *dot, const struct render_options *options, FILE *out,
                                  struct diag *diag);

#endif
