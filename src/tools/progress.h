/* SPDX-License-Identifier: MIT */
/*
 * Shows a line about a run's progress on standard error, if that is a terminal, once the run has
 * taken two seconds:
 *
 *     cgunwind: reading, 5 s, 43 %, 12345 samples/s
 *
 * There is one line per process. Call progress_pause before a message, and progress_end before
 * output to the same terminal.
 */
#ifndef TOOLS_PROGRESS_H
#define TOOLS_PROGRESS_H

#include <stdint.h>

/*
 * Begins the line: `program` and `what` it does, both borrowed until progress_end. Uses SIGALRM.
 * Does nothing if standard error is no terminal.
 */
void progress_begin(const char *program, const char *what);

/* Names another activity (borrowed), whose share and rate are not known yet. */
void progress_turn_to(const char *what);

/* Sets the share that is done; `all` 0: not known. */
void progress_set(uint64_t done, uint64_t all);

/* Sets how many things, "samples", say (borrowed), are done; the line shows the rate per second. */
void progress_count(uint64_t count, const char *noun);

/* Erases the line; it comes back after a second. */
void progress_pause(void);
void progress_end(void);

/* progress_end, but only if standard output is a terminal. */
void progress_end_for_output(void);

#endif
