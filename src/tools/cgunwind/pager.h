/* SPDX-License-Identifier: MIT */
/* Runs the user's pager between standard output and the terminal. */
#ifndef TOOLS_CGUNWIND_PAGER_H
#define TOOLS_CGUNWIND_PAGER_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Returns the pager's shell command: the first of $CGUNWIND_PAGER, $PAGER and `usual` that is set.
 * NULL: use no pager, as that command is blank or "cat", or its program is not found. Borrowed.
 */
const char *pager_command(const char *usual);

/*
 * Starts a process that becomes the pager `command` when the first byte arrives, and makes standard
 * output a pipe to it. From then on SIGHUP, SIGINT, SIGQUIT and SIGTERM, where not ignored, end us
 * only after the pager has ended, and SIGPIPE is ignored. Returns the process's pid; 0: it cannot
 * be started, and nothing has changed.
 */
pid_t pager_begin(const char *command);

/* Whether standard output has no reader any more, as the pager has ended. */
bool pager_is_left(void);

/*
 * Closes standard output and waits until the pager, pager_begin's process, ends. False: the shell
 * could not run the command.
 */
bool pager_end(pid_t pager);

#endif
