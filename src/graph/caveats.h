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
#include "graph/weight_choice.h"

#define CAVEATS_MAX 1024 /* bytes of all that is told, with the NUL */

/* From these shares on, in percent, it is told. */
#define CAVEATS_LOST_PERCENT      1u    /* samples that were lost, of those that were due */
#define CAVEATS_CONTENDED_PERCENT 5u    /* without a CPU, of the time in which threads could run */
#define CAVEATS_DELAYED_PERCENT   2u    /* and of all the time of threads: see caveats.c */
#define CAVEATS_RATE_PERCENT      75u   /* of the rate asked for, below which the one reached is */
#define CAVEATS_READY_PERCENT     10u   /* samples of threads that were ready, of those shown */
#define CAVEATS_WAITING_PERCENT   80u   /* samples of threads that waited, of those shown */
#define CAVEATS_HIDDEN_PERCENT    1u    /* of the threads' time is not in the CPU time shown */
#define CAVEATS_UNPLACED_PERCENT  10u   /* of the CPU time has no sample */
#define CAVEATS_CARRIERS          1000u /* fewer samples than that: how much chance may do */

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

/* What a view's head tells is made from. */
struct caveats_facts {
    const struct quality *quality; /* NULL: nothing is known of captures */
    enum weight_reason reason;     /* for which the view has its weight */
    uint64_t duration_ns;          /* of all captures; 0: not known */
    bool of_states;                /* states were asked for: nothing is said of the others */
    bool is_chosen;                /* what is shown was asked for: nothing else is suggested */
};

/*
 * Why the view has its weight, and what it does not show; how far its shares may be trusted:
 *
 *     83 % of the threads' time is not shown: they waited, or were ready (22 %); see --weight wall
 *     threads used CPUs for 0.3 % of the time (31.2 ms): this is wall time; see --weight cpu
 *     from 118 samples: a share of 50 % may be off by 9 points
 *     14 % of the CPU time is without a sample; …
 *     37 % of the samples shown: threads that were ready, without a CPU
 *     88 % of the samples shown: threads that waited; --weight cpu shows what ran
 */
const char *caveats_of_view(const struct view *view, const struct caveats_facts *facts,
                            char text[CAVEATS_MAX]);

#endif
