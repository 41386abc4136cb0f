/* SPDX-License-Identifier: MIT */
/*
 * Standard output as a terminal: its width, colours, and a pager, as git has.
 *
 * The pager gets nothing of ours but the end of a pipe. Its process is started before we confine
 * ourselves, and becomes the pager when the first byte arrives. From then on messages are held back
 * until it has ended, as it would draw over them.
 */
#ifndef TOOLS_CGUNWIND_TERMINAL_H
#define TOOLS_CGUNWIND_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#include "tools/cgunwind/cgunwind.h"

struct terminal {   /* all zero to begin with */
    bool is_there;  /* the output is a terminal */
    size_t columns; /* 0: not known, or no terminal */
    bool colour;
    pid_t pager; /* 0: none */
};

/*
 * Looks at standard output, and starts a pager if one is wanted. With --output, also with "-", the
 * output is not a terminal's. UNSUPPORTED: the format is binary, and the output is a terminal;
 * `diag` says so.
 */
MUST_CHECK enum status terminal_begin(struct terminal *terminal,
                                      const struct cgunwind_options *options, struct diag *diag);

/*
 * Returns the stream for a format to write to; the caller closes it, unless it is stdout itself.
 * `caveats` as in output/screen.h. NULL: out of memory.
 */
FILE *terminal_stream(struct terminal *terminal, const char *const *caveats);

/* Call before printing to stdout itself: ends the progress line; messages wait for a pager. */
void terminal_hold(struct terminal *terminal);

/* Says whether the user has quit the pager: then failures to write need no report. */
bool terminal_is_left(const struct terminal *terminal);

/*
 * Waits until the user has quit the pager, when all is printed; then lets messages through.
 * NOT_FOUND: the pager could not be run; `diag` says so.
 */
MUST_CHECK enum status terminal_end(struct terminal *terminal, struct diag *diag);

#endif
