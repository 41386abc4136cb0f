/* SPDX-License-Identifier: MIT */
/*
 * The child process that lays out and draws, for render.c:
 *
 *     render_library.c   the child loads Graphviz's library, in builds with it
 *     render_program.c   the child becomes Graphviz's program, dot
 *
 * The child writes a picture and exits with status 0, or writes a message, whose first line is
 * reported, and exits with another status.
 */
#ifndef OUTPUT_RENDER_CHILD_H
#define OUTPUT_RENDER_CHILD_H

#include <sys/types.h>

#include "output/render.h"

struct render_child {
    pid_t pid;
    int picture, message; /* the parent's ends of pipes, to read from; `message` does not block */
};

#define RENDER_CHILD_FAILED 1 /* the child's exit status without a picture */

/* Returns Graphviz's name of the format: "svg", "png", "pdf"; static storage. */
const char *render_format_name(enum render_format format);

/*
 * Makes the two pipes: *child gets the ends that the parent reads, *picture and *message those that
 * the child writes. Fails with IO, and fills `diag`.
 */
MUST_CHECK enum status render_pipes(struct render_child *child, int *picture, int *message,
                                    struct diag *diag);

/*
 * To be called in the parent right after child->pid = render_child_fork(): closes the child's ends
 * of the pipes. If that failed (child->pid < 0), closes all ends, fills `diag` by errno and returns
 * IO.
 */
MUST_CHECK enum status render_child_begun(struct render_child *child, int picture, int message,
                                          struct diag *diag);

/*
 * Forks a helper (base/helper.h) that keeps the `count` descriptors in `keep`, leaves no core, and
 * is killed when its parent ends. Returns what fork(2) returns.
 */
pid_t render_child_fork(const int *keep, size_t count);

/* Whether this build has Graphviz's library; else render_left_out.c replaces render_library.c. */
bool render_has_library(void);

/*
 * Starts a child that draws the DOT text with the library, and sets *child. IO: the child cannot be
 * started, as `diag` says. UNSUPPORTED: this build has no library.
 */
MUST_CHECK enum status render_library_start(struct render_child *child, const char *dot,
                                            const struct render_options *options,
                                            struct diag *diag);

#endif
