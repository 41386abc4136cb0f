/* SPDX-License-Identifier: MIT */
/*
 * Warnings about a capture, or a view of it, for the heads of outputs. A capture that went well has
 * none.
 *
 * Warnings are made only from sums and minima, which profiles (pprof) have, too: captures can be
 * merged in any order.
 */
#ifndef GRAPH_CAVEATS_H
#define GRAPH_CAVEATS_H

#include "graph/quality.h"
#include "graph/view.h"
#include "graph/weight_choice.h"

#define CAVEATS_MAX 1024 /* most bytes of all lines, with the NUL */

/* Shares, in percent, at or above which (CAVEATS_RATE_PERCENT: below which) a warning is given. */
#define CAVEATS_LOST_PERCENT 1u /* lost samples, of the samples that were due */
/* threads' time runnable without a CPU, of their time runnable or on a CPU */
#define CAVEATS_CONTENDED_PERCENT 5u
#define CAVEATS_DELAYED_PERCENT   2u    /* and so much of all the time of threads */
#define CAVEATS_RATE_PERCENT      75u   /* rate of rounds reached, of the rate asked for */
#define CAVEATS_READY_PERCENT     10u   /* samples of ready threads, of the samples shown */
#define CAVEATS_WAITING_PERCENT   80u   /* samples of waiting threads, of the samples shown */
#define CAVEATS_HIDDEN_PERCENT    1u    /* threads' time that is not in the CPU time shown */
#define CAVEATS_UNPLACED_PERCENT  10u   /* CPU time that no sample was given, of all */
#define CAVEATS_CARRIERS          1000u /* with fewer samples the error by chance is stated */

/*
 * Writes warnings about the captures, as whole lines of at most 100 columns, to `text` and returns
 * it; "" if there are none:
 *
 *     capture: 12 % of samples lost (7988, most: rounds came late); 6.9 of 99.0 Hz reached
 *
 * Merged captures are summed up, except the rate, which is that of the capture that reached the
 * least part of the rate asked for ("in one of 3 captures"). A baseline has a line of its own,
 * "baseline: ...".
 */
const char *caveats_of_captures(const struct quality *quality, char text[CAVEATS_MAX]);

/* Whether threads waited for CPUs for so long that a warning is given. */
bool caveats_is_contended(const struct capture_account *account);

/*
 * Whether the rate reached is below CAVEATS_RATE_PERCENT of the rate asked for. False: not known.
 */
bool caveats_is_slow(const struct capture_rate *rate);

/* Facts for a view's warnings. */
struct caveats_facts {
    const struct quality *quality; /* of the captures; NULL: not known */
    enum weight_reason reason;     /* reason for which the view shows its kind of weight */
    uint64_t duration_ns;          /* of all captures together; 0: not known */
    bool of_states;                /* the user selected states: other states are not mentioned */
    bool is_chosen;                /* the user chose the weight: no other is suggested */
};

/*
 * Writes warnings about a view, as whole lines of at most 100 columns, to `text` and returns it; ""
 * if there are none. They say why the view has its weight, what it does not show, and how far its
 * shares may be trusted:
 *
 *     83 % of the threads' time is not shown: they waited, or were ready (22 %); see --weight wall
 *     threads used CPUs for 0.3 % of the time (31.2 ms): this is wall time; see --weight cpu
 *     from 118 samples: a share of 50 % may be off by 9 points
 *     14 % of the CPU time is without a sample; ...
 *     37 % of the samples shown: threads that were ready, without a CPU
 *     88 % of the samples shown: threads that waited; --weight cpu shows what ran
 */
const char *caveats_of_view(const struct view *view, const struct caveats_facts *facts,
                            char text[CAVEATS_MAX]);

#endif
