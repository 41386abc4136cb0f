/* SPDX-License-Identifier: MIT */
/*
 * Handles standard output as a terminal: its width, colours, and a pager, as git has.
 *
 * The pager gets nothing of this process but the end of a pipe. The pager's process is started
 * before this process confines itself, and becomes the pager when the first byte arrives. From then
 * on messages are held back until the pager has ended, as it would draw over them.
 */
#ifndef TOOLS_CGUNWIND_TERMINAL_H
#define TOOLS_CGUNWIND_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#include "tools/cgunwind/cgunwind.h"

struct terminal {  /* the caller zeroes it before terminal_begin */
    bool is_there; /* the output goes to a terminal */
    /* the terminal's width in columns; 0: not known, no terminal, or no text output */
    size_t columns;
    bool colour;
    pid_t pager; /* pid of the pager that pager_begin started; 0: none */
};

/*
 * Fills *terminal from standard output and the options, and starts a pager if one is wanted. With
 * --output, even "-", the output counts as no terminal. Fails with UNSUPPORTED only: the format is
 * binary, and the output is a terminal; `diag` says so.
 */
MUST_CHECK enum status terminal_begin(struct terminal *terminal,
                                      const struct cgunwind_options *options, struct diag *diag);

/*
 * Returns the stream that a format writes to; the caller closes it, unless it is stdout itself.
 * `caveats`: warnings to show on the terminal, as in struct screen_options (output/screen.h). NULL:
 * out of memory.
 */
FILE *terminal_stream(struct terminal *terminal, const char *const *caveats);

/*
 * Ends the progress line; with a pager, holds back messages on standard error until terminal_end.
 * Call it before printing to stdout itself.
 */
void terminal_hold(struct terminal *terminal);

/* Whether the user has quit the pager, so that failures to write need no message. */
bool terminal_is_left(const struct terminal *terminal);

/*
 * Waits, after all is printed, until the user has quit the pager, if there is one; then prints the
 * messages held back. Fails with NOT_FOUND only: the pager could not be run; `diag` says so.
 */
MUST_CHECK enum status terminal_end(struct terminal *terminal, struct diag *diag);

#endif
