/* SPDX-License-Identifier: MIT */
/*
 * A line on standard error, where that is a terminal, as soon as a run has taken two seconds:
 *
 *     cgunwind: reading, 5 s, 43 %, 12345 samples/s
 *
 * One at a time. It would be lost among what is printed on the same terminal: pause it before a
 * message, end it before an output.
 */
#ifndef TOOLS_PROGRESS_H
#define TOOLS_PROGRESS_H

#include <stdint.h>

/* `program`, `what` it does: borrowed, to the end. Nothing where standard error is no terminal. */
void progress_begin(const char *program, const char *what);

/* Something else is done now: there is no share nor rate of it yet. */
void progress_turn_to(const char *what);

/* How much of it is done; `all` 0: not known. */
void progress_set(uint64_t done, uint64_t all);

/* How many of something are done, "samples", say (borrowed): the line tells how many a second. */
void progress_count(uint64_t count, const char *noun);

/* Erases it; it comes back. */
void progress_pause(void);
void progress_end(void);

/* Ends it when standard output is a terminal too. */
void progress_end_for_output(void);

#endif
