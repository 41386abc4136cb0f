/* SPDX-License-Identifier: MIT */
/*
 * Layout and drawing by Graphviz, which only this module knows. Graphviz's library draws, which is
 * loaded when a picture is drawn; in builds without the library, as static ones are, the program
 * dot.
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

#define RENDER_SECONDS 30 /* usual value of render_options.seconds */

struct render_options {
    enum render_format format;
    unsigned seconds;          /* time limit for layout and drawing */
    bool confined;             /* the child confines itself (confine.h) before it reads the text */
    struct renderer *renderer; /* from render_begin with the same format; NULL: the library draws */
};

/*
 * Starts the program that draws one picture; to be called before the process confines itself, after
 * which it can run no programs, and while the process has one thread. Sets *out to NULL where the
 * library draws. Fails with NO_MEMORY, or IO and `diag` filled; *out is NULL then, too.
 */
MUST_CHECK enum status render_begin(enum render_format format, bool confined, struct renderer **out,
                                    struct diag *diag);

/* Frees the renderer, and kills its program if that has drawn nothing. NULL is allowed. */
void render_end(struct renderer *renderer);

/*
 * Lays out NUL-terminated DOT text and writes the picture to `out`, which stays empty if drawing
 * fails. UNSUPPORTED: the layout took too long, or Graphviz failed. NOT_FOUND: no program to draw
 * with is installed. IO: `out` or the system failed. NO_MEMORY. `diag` (NULL: not wanted) says why.
 * To be called while no other thread runs.
 */
MUST_CHECK enum status render_dot(const char *dot, const struct render_options *options, FILE *out,
                                  struct diag *diag);

#endif
