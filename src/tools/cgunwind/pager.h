/* SPDX-License-Identifier: MIT */
/* Runs the user's pager between standard output, if that is a terminal, and the terminal. */
#ifndef TOOLS_CGUNWIND_PAGER_H
#define TOOLS_CGUNWIND_PAGER_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Returns the pager's shell command: $CGUNWIND_PAGER, else $PAGER, else `usual`, the first that is
 * set. NULL: it is empty or "cat", or its program is not found. Borrowed.
 */
const char *pager_command(const char *usual);

/*
 * Starts a process that runs the pager when the first byte arrives, and makes standard output a
 * pipe to it. From then on, a signal that ends us does so only after the pager has ended; ignored
 * signals stay ignored, and SIGPIPE is ignored, too. Returns the process; 0: it cannot be started,
 * and nothing has changed.
 */
pid_t pager_begin(const char *command);

/* Says whether standard output has no reader any more: the pager has ended. */
bool pager_is_left(void);

/* Closes standard output and waits until the pager ends. False: its shell could not run it. */
bool pager_end(pid_t pager);

#endif
