/* SPDX-License-Identifier: MIT */
/*
 * Standard output where it is a terminal: how wide it is, whether there are colours, and a pager as
 * git has it, between us and it.
 *
 * The pager has nothing of ours but a pipe's end. Its process is there before we confine ourselves,
 * and becomes the pager with the first byte that comes. From then on messages wait until it has
 * ended, as it would draw over them.
 */
#ifndef TOOLS_CGUNWIND_TERMINAL_H
#define TOOLS_CGUNWIND_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#include "tools/cgunwind/cgunwind.h"

struct terminal {   /* zero it */
    bool is_there;  /* the output goes to one */
    size_t columns; /* 0: not known, or there is none */
    bool colour;
    pid_t pager; /* 0: none */
};

/*
 * UNSUPPORTED: the format is binary, and would go to a terminal; `diag` says so. What is given with
 * --output, "-" as well, goes where it goes as it is.
 */
MUST_CHECK enum status terminal_begin(struct terminal *terminal,
                                      const struct cgunwind_options *options, struct diag *diag);

/*
 * What a format writes standard output to: to be closed, but for stdout itself. `caveats` as in
 * screen.h. NULL: out of memory.
 */
FILE *terminal_stream(struct terminal *terminal, const char *const *caveats);

/* For what is printed to stdout itself: messages wait from now on. */
void terminal_hold(struct terminal *terminal);

/* Has the user quit the pager? Then writing fails, and nobody wants to know. */
bool terminal_is_left(const struct terminal *terminal);

/*
 * Nothing more is printed to stdout: waits until the user has read it. NOT_FOUND: there was no such
 * pager; `diag` says so.
 */
MUST_CHECK enum status terminal_end(struct terminal *terminal, struct diag *diag);

#endif
