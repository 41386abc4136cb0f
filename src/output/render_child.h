/* SPDX-License-Identifier: MIT */
/*
 * The child process that lays out and draws, as render.c sees it:
 *
 *     render_library.c   the child loads Graphviz's library, in builds with it
 *     render_program.c   the child becomes Graphviz's program, dot
 *
 * The child writes a picture and exits with status 0, or writes a message, whose first line counts.
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
 * Makes the two pipes: sets the parent's ends in *child, and the child's ends in *picture and
 * *message. Fails with IO, and fills `diag`.
 */
MUST_CHECK enum status render_pipes(struct render_child *child, int *picture, int *message,
                                    struct diag *diag);

/*
 * In the parent, right after render_child_fork() set child->pid and errno: closes the child's ends.
 * If that failed it closes all ends, fills `diag` and returns IO.
 */
MUST_CHECK enum status render_child_begun(struct render_child *child, int picture, int message,
                                          struct diag *diag);

/*
 * Forks a helper (base/helper.h) that keeps these descriptors, leaves no core, and is killed when
 * its parent ends. Returns what fork(2) returns.
 */
pid_t render_child_fork(const int *keep, size_t count);

/* Whether this build has the library; without it render_left_out.c is linked in its place. */
bool render_has_library(void);

/*
 * Starts a child that draws `dot` with the library. IO: it cannot be started, see `diag`.
 * UNSUPPORTED: this build has no library.
 */
MUST_CHECK enum status render_library_start(struct render_child *child, const char *dot,
                                            const struct render_options *options,
                                            struct diag *diag);

#endif
