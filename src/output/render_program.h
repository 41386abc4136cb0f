/* SPDX-License-Identifier: MIT */
/*
 * Drawing by Graphviz's program, dot, in builds without its library. The child is started before
 * the process confines itself, and waits:
 *
 *     fork ── confine ── wait ─────────────────────── exec dot -Tsvg ── draw
 *       │                  ▲ one byte                  stdin: the text     │
 *     parent ── confine ── text to a file without a name ── picture ◄──────┘
 *
 * A confined child can read libraries, fonts and the directory of dot, and run programs that can do
 * no more than itself; it has no network and writes no file.
 */
#ifndef OUTPUT_RENDER_PROGRAM_H
#define OUTPUT_RENDER_PROGRAM_H

#include "output/render_child.h"

/*
 * Implements render_begin with the first program dot in the absolute directories of $PATH. If there
 * is none this succeeds, and render_program_start will fail.
 */
MUST_CHECK enum status render_program_begin(enum render_format format, bool confined,
                                            struct renderer **out, struct diag *diag);

/*
 * Hands the DOT text to the waiting child, which draws, and sets *child, which the caller then
 * owns. To be called once for a renderer. NOT_FOUND: there is no program dot; IO. `diag` says why.
 */
MUST_CHECK enum status render_program_start(struct renderer *renderer, const char *dot,
                                            struct render_child *child, struct diag *diag);

#endif
