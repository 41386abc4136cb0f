/* SPDX-License-Identifier: MIT */
/*
 * Drawing by Graphviz's program, dot: for programs without its library. It is begun before the
 * process confines itself and waits:
 *
 *     fork ── confine ── wait ─────────────────────── exec dot -Tsvg ── draw
 *       │                  ▲ one byte                  stdin: the text     │
 *     parent ── confine ── text to a file without a name ── picture ◄──────┘
 *
 * The child can read libraries, fonts and the directory of dot, and run programs that can do no
 * more than itself; it has no network and writes no file.
 */
#ifndef OUTPUT_RENDER_PROGRAM_H
#define OUTPUT_RENDER_PROGRAM_H

#include "output/render_child.h"

/* The program is the first dot of $PATH, relative directories left out. As render_begin. */
MUST_CHECK enum status render_program_begin(enum render_format format, bool confined,
                                            struct renderer **out, struct diag *diag);

/* Once. NOT_FOUND: there is no dot. IO. `diag` says why. */
MUST_CHECK enum status render_program_start(struct renderer *renderer, const char *dot,
                                            struct render_child *child, struct diag *diag);

#endif
