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
 * Begins the line, which names `program` and `what` it does; both are borrowed until progress_end.
 * Uses SIGALRM and ITIMER_REAL. Does nothing if standard error is no terminal.
 */
void progress_begin(const char *program, const char *what);

/* Names another activity `what` (borrowed), and forgets the share and the count. */
void progress_turn_to(const char *what);

/* Sets the share that is done, done / all, which the line shows in percent; `all` 0: not known. */
void progress_set(uint64_t done, uint64_t all);

/*
 * Sets how many things are done since the activity began; `noun` (borrowed) names them, such as
 * "samples". The line shows their number per second.
 */
void progress_count(uint64_t count, const char *noun);

/*
 * progress_pause: erases the line, which comes back after a second. progress_end: erases the line
 * for good.
 */
void progress_pause(void);
void progress_end(void);

/* Calls progress_end if standard output is a terminal; else does nothing. */
void progress_end_for_output(void);

#endif
