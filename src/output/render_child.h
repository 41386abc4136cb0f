/* SPDX-License-Identifier: MIT */
/*
 * A process that lays out and draws, as render.c sees it:
 *
 *     render_library.c   loads Graphviz's library, where this was built with it
 *     render_program.c   becomes Graphviz's program, dot
 *
 * It ends with status 0 behind a picture, else with a message, of which the first line counts.
 */
#ifndef OUTPUT_RENDER_CHILD_H
#define OUTPUT_RENDER_CHILD_H

#include <sys/types.h>

#include "output/render.h"

struct render_child {
    pid_t pid;
    int picture, message; /* pipes to read from; `message` does not block */
};

#define RENDER_CHILD_FAILED 1 /* a status to end with */

/* The word that Graphviz has for it. */
const char *render_format_name(enum render_format format);

/* Two pipes, of whose ends the child gets `picture` and `message`. IO: `diag` says why not. */
MUST_CHECK enum status render_pipes(struct render_child *child, int *picture, int *message,
                                    struct diag *diag);

/* Behind fork(), with errno as it left it: the parent closes the ends that are the child's. IO. */
MUST_CHECK enum status render_child_begun(struct render_child *child, int picture, int message,
                                          struct diag *diag);

/* In the child, at once: it keeps these files alone, and leaves no core. */
void render_child_begin(const int *keep, size_t count);

/* Whether this was built with the library; without it render_left_out.c stands in for it. */
bool render_has_library(void);

/* IO: `diag` says why it cannot be begun. UNSUPPORTED: there is no library. */
MUST_CHECK enum status render_library_start(struct render_child *child, const char *dot,
                                            const struct render_options *options,
                                            struct diag *diag);

#endif
