/* SPDX-License-Identifier: MIT */
/*
 * Warnings about a capture, or a view of it, for the heads of outputs. A capture that went well has
 * none.
 *
 * They are made only from sums and minima, which profiles (pprof) have, too: merging captures in
 * any way gives the same.
 */
#ifndef GRAPH_CAVEATS_H
#define GRAPH_CAVEATS_H

#include "graph/quality.h"
#include "graph/view.h"
#include "graph/weight_choice.h"

#define CAVEATS_MAX 1024 /* bytes of all lines, with the NUL */

/* Shares, in percent, from which on a warning is given. */
#define CAVEATS_LOST_PERCENT 1u /* lost samples, of those due */
/* time without a CPU, of the time in which threads could run */
#define CAVEATS_CONTENDED_PERCENT 5u
#define CAVEATS_DELAYED_PERCENT   2u  /* and of all the time of threads: see caveats.c */
#define CAVEATS_RATE_PERCENT      75u /* rate reached, of the one asked for: warned of below this */
#define CAVEATS_READY_PERCENT     10u /* samples of ready threads, of those shown */
#define CAVEATS_WAITING_PERCENT   80u /* samples of waiting threads, of those shown */
#define CAVEATS_HIDDEN_PERCENT    1u  /* threads' time that is not in the CPU time shown */
#define CAVEATS_UNPLACED_PERCENT  10u /* CPU time without a sample */
#define CAVEATS_CARRIERS          1000u /* with fewer samples the error by chance is stated */

/*
 * Writes whole lines of at most 100 columns to `text` and returns it; "" if all is well:
 *
 *     capture: 12 % of samples lost (7988, most: rounds came late); 6.9 of 99.0 Hz reached
 *
 * Merged captures are summed up, except the rate, which is that of the capture that reached the
 * least of its own ("in one of 3 captures"). A baseline has a line of its own, "baseline: ...".
 */
const char *caveats_of_captures(const struct quality *quality, char text[CAVEATS_MAX]);

/* Returns whether threads waited for CPUs so much that it is warned of. */
bool caveats_is_contended(const struct capture_account *account);

/* Returns whether so little of the rate was reached that it is warned of; false if not known. */
bool caveats_is_slow(const struct capture_rate *rate);

/* Facts for a view's warnings. */
struct caveats_facts {
    const struct quality *quality; /* NULL: no capture is known */
    enum weight_reason reason;     /* why the view has its weight */
    uint64_t duration_ns;          /* ns of all captures; 0: not known */
    bool of_states;                /* the user selected states: others are not mentioned */
    bool is_chosen;                /* the user chose what is shown: nothing else is suggested */
};

/*
 * Writes whole lines to `text` and returns it: why the view has its weight, what it does not show,
 * how far its shares may be trusted:
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
