/* SPDX-License-Identifier: MIT */
/*
 * What has to be known of a capture, or of a view of it, before its numbers are believed: for the
 * heads of outputs, where it is read. Nothing is said of a capture that went well, so that its
 * outputs have no line more.
 *
 * All of it is made of sums, or of the least of several, that profiles (pprof) have as well: it is
 * the same however captures were merged.
 */
#ifndef GRAPH_CAVEATS_H
#define GRAPH_CAVEATS_H

#include "graph/quality.h"
#include "graph/view.h"

#define CAVEATS_MAX 1024 /* bytes of all that is told, with the NUL */

/* From these shares on, in percent, it is told. */
#define CAVEATS_LOST_PERCENT      1u  /* samples that were lost, of those that were due */
#define CAVEATS_CONTENDED_PERCENT 5u  /* without a CPU, of the time in which threads could run */
#define CAVEATS_DELAYED_PERCENT   2u  /* and of all the time of threads: see caveats.c */
#define CAVEATS_RATE_PERCENT      75u /* of the rate asked for, below which the one reached is */
#define CAVEATS_READY_PERCENT     10u /* samples of threads that were ready, of those shown */
#define CAVEATS_WAITING_PERCENT   80u /* samples of threads that waited, of those shown */

/*
 * Whole lines of at most 100 columns; "" where there is nothing to tell:
 *
 *     capture: 12 % of samples lost (7988, most: rounds came late); 6.9 of 99.0 Hz reached
 *
 * Of merged captures it is of all together, but for the rate: there it is of the one that reached
 * the least of its own ("in one of 3 captures"). A baseline has a line like it, "baseline: ...".
 */
const char *caveats_of_captures(const struct quality *quality, char text[CAVEATS_MAX]);

/* Did threads want CPUs and not get them, so that it is told? */
bool caveats_is_contended(const struct capture_account *account);

/* Was so little of the rate reached that it is told? Never where it is not known. */
bool caveats_is_slow(const struct capture_rate *rate);

/*
 * Of samples and wall time only, which count threads that do not run, too. `of_states`: of what was
 * asked for by its state nothing is said. `suggests`: that what ran is a small part is said, with
 * the options that show it.
 *
 *     37 % of the samples shown: threads that were ready, without a CPU
 *     88 % of the samples shown: threads that waited; --weight cpu shows what ran
 */
const char *caveats_of_view(const struct view *view, bool of_states, bool suggests,
                            char text[CAVEATS_MAX]);

#endif
