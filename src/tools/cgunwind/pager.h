/* SPDX-License-Identifier: MIT */
/*
 * The user's pager between standard output and the terminal. One at a time, and only where standard
 * output is a terminal.
 */
#ifndef TOOLS_CGUNWIND_PAGER_H
#define TOOLS_CGUNWIND_PAGER_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * A shell's command: of $CGUNWIND_PAGER, of $PAGER, or `usual`, whichever is there first. NULL: it
 * is empty or "cat", or no such program is to be found. Borrowed.
 */
const char *pager_command(const char *usual);

/*
 * Starts the process that runs it with the first byte that is written to standard output, and makes
 * that a pipe. From then on a signal that ends us does so when the pager has ended, those that were
 * ignored still are, and SIGPIPE is. 0: it cannot be started, and all is as it was.
 */
pid_t pager_begin(const char *command);

/* Does nobody read standard output any more? */
bool pager_is_left(void);

/* Closes standard output, and waits for the pager's end. False: its shell could not run it. */
bool pager_end(pid_t pager);

#endif
