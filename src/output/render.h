/* SPDX-License-Identifier: MIT */
/*
 * Layout and drawing by Graphviz: the only place that knows it. Its library draws, which is loaded
 * for that; or where this was built without it, as static programs are, the program dot.
 *
 * Lines of a box's label are spread over its height, to 1.3 of the font's size: Graphviz has them
 * so close that they touch.
 *
 * It runs in a child process, because a layout may take for ever or crash: neither reaches the
 * caller.
 */
#ifndef OUTPUT_RENDER_H
#define OUTPUT_RENDER_H

#include <stdbool.h>
#include <stdio.h>

#include "base/diag.h"
#include "base/status.h"

enum render_format { RENDER_SVG, RENDER_PNG, RENDER_PDF };

#define RENDER_SECONDS 30 /* the usual limit */

struct render_options {
    enum render_format format;
    unsigned seconds; /* at most */
    bool confined;    /* the child confines itself (confine.h) before it looks at the text */
    struct renderer *renderer; /* from render_begin, with the same format */
};

/*
 * Begins what draws, once, where that is a program: who has confined itself can run none. To be
 * called while there is one thread. *out: NULL where the library draws. IO, NO_MEMORY: `diag` says
 * why not.
 */
MUST_CHECK enum status render_begin(enum render_format format, bool confined, struct renderer **out,
                                    struct diag *diag);

void render_end(struct renderer *renderer); /* may be NULL */

/*
 * Lays out DOT text (NUL-terminated) and writes the picture to `out`, all or nothing. UNSUPPORTED:
 * it took too long, or Graphviz failed; NOT_FOUND: there is no program that draws; the DOT text is
 * still of use. IO: `out` or the system failed. `diag` says which, may be NULL. To be called while
 * no other thread runs.
 */
MUST_CHECK enum status render_dot(const char *dot, const struct render_options *options, FILE *out,
                                  struct diag *diag);

#endif
