/* SPDX-License-Identifier: MIT */
/*
 * Chooses the weight that answers "what is hot?" where the user gave none. The first that fits:
 *
 *     what was read                                      weight
 *     a trace of calls                                   calls
 *     no CPU time, or most of it without a sample and    wall time if there is any,
 *       no wall time; states that leave out running        off-CPU time if any, else samples
 *     CPU time but no wall time                          CPU time
 *     CPU time below 1 % of one CPU (a deadlock, an      wall time
 *       idle server), given to few samples, or most
 *       of it to none
 *     all else                                           CPU time
 *     nothing of it left by a filter                     the next one: wall time, samples
 *
 * In a comparison both sides must have a weight for it to count as there.
 * docs/decisions/0050-a-sample-stands-for-time.md.
 */
#ifndef GRAPH_WEIGHT_CHOICE_H
#define GRAPH_WEIGHT_CHOICE_H

#include "graph/capture_account.h"
#include "graph/filter.h"
#include "graph/profile.h"

#define WEIGHT_CHOICE_BUSY_PERCENT 1u  /* CPU time below this % of one CPU is too little */
#define WEIGHT_CHOICE_PLACES       10u /* samples and ticks with CPU time; fewer are too few */

/* Why a weight was chosen. */
enum weight_reason {
    WEIGHT_GIVEN,       /* the user's choice, or what the input or filter leaves no choice about */
    WEIGHT_IS_HOT,      /* CPU time: enough was used */
    WEIGHT_HARDLY_RAN,  /* wall time: less CPU time than 1 % of one CPU */
    WEIGHT_FEW_RUNNING, /* wall time: few samples have CPU time, or most of it has no sample */
    WEIGHT_BASE_UNPLACED, /* wall time: most of the baseline's CPU time has no sample */
    WEIGHT_NOTHING_RAN,   /* not CPU time: the samples that pass the filter have none */
};

struct weight_choice {
    enum weight_kind weight;
    enum weight_reason reason;
};

/*
 * Returns the weight for the profile by the table above. `own`: the capture's account, `base`: the
 * baseline's; NULL: not known. `duration_ns`: sum of all captures' durations; 0: not known.
 * `filter`: NULL: all passes.
 */
struct weight_choice weight_choose(const struct profile *profile, const struct graph_filter *filter,
                                   const struct capture_account *own,
                                   const struct capture_account *base, uint64_t duration_ns);

/*
 * Changes *choice to the next weight (CPU time, wall time, samples), for when a filter leaves
 * nothing of the present one. False: there is none, *choice stays.
 */
bool weight_choose_next(struct weight_choice *choice);

/* Returns the count of samples and ticks that were given CPU time; 0: none, or not known. */
uint64_t weight_carriers(const struct capture_account *account);

/*
 * Returns how many equal, independent, exact samples the samples with CPU time are worth: (sum w)^2
 * / sum w^2, at most their number. If threads waited for CPUs and there were no ticks, samples have
 * an error of WEIGHT_BIAS of a share as well, whatever their number. 0: not known.
 */
#define WEIGHT_BIAS 0.05
uint64_t weight_worth(const struct capture_account *account);

/* Returns whether less than half of the CPU time used is given to samples or ticks; NULL: false. */
bool weight_is_unplaced(const struct capture_account *account);

#endif
