/* SPDX-License-Identifier: MIT */
/*
 * The timeline in the Trace Event Format (JSON object format), which Perfetto, chrome://tracing and
 * speedscope open: "Trace Event Format" by the Chromium authors.
 *
 * A thread is a track, named by its identity. It has "X" events in two layers: the state (running,
 * the object that it waits for), and inside it the function. The call chain is the event's stack
 * frame ("sf"), and shortened in its arguments for viewers that do not show "sf". A counter has the
 * number of threads that ran.
 *
 * Times are whole microseconds since the capture's first sample, shown or not; "tts" and "tdur" are
 * CPU time. Written event by event: the document is never in memory as a whole.
 */
#ifndef OUTPUT_THREADS_CHROME_H
#define OUTPUT_THREADS_CHROME_H

#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "threads/timeline.h"

#define CHROME_COUNTS_MAX 20000 /* most values of the counter */
#define CHROME_CHAIN_MAX  8     /* most functions of a shortened chain */

/*
 * Writes the document. `title`: the captured programs, raw bytes. `clock_offset`: the epoch's clock
 * minus the snapshot's, in ns; 0: not known. IO: `out` has failed; NO_MEMORY.
 */
MUST_CHECK enum status chrome_write(const struct timeline *timeline, const char *title,
                                    uint64_t clock_offset, FILE *out);

#endif
