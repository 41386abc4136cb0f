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

#define WEIGHT_CHOICE_BUSY_PERCENT 1u  /* % of one CPU */
#define WEIGHT_CHOICE_PLACES       10u /* samples and ticks that have CPU time; fewer are too few */

enum weight_reason {
    WEIGHT_GIVEN,         /* asked for, or the only one */
    WEIGHT_IS_HOT,        /* CPU time */
    WEIGHT_HARDLY_RAN,    /* not CPU time: there is little */
    WEIGHT_FEW_RUNNING,   /* not CPU time: few samples have it, or most of it has none */
    WEIGHT_BASE_UNPLACED, /* not CPU time: most of the baseline's has no sample */
    WEIGHT_NOTHING_RAN,   /* not CPU time: what the filter leaves has none */
};

struct weight_choice {
    enum weight_kind weight;
    enum weight_reason reason;
};

/*
 * Chooses the weight. `own` and `base`: accounts without the baseline and of it; NULL: not known.
 * `duration_ns`: of all captures together; 0: not known. `filter` may be NULL.
 */
struct weight_choice weight_choose(const struct profile *profile, const struct graph_filter *filter,
                                   const struct capture_account *own,
                                   const struct capture_account *base, uint64_t duration_ns);

/* Moves *choice to the next weight, when a filter leaves nothing of this one; false: none left. */
bool weight_choose_next(struct weight_choice *choice);

/* Returns how many samples and ticks have CPU time; 0: not known. */
uint64_t weight_carriers(const struct capture_account *account);

/*
 * Returns how many equal, independent, exact samples the samples with CPU time are worth: (sum w)^2
 * / sum w^2, at most their number. If threads waited for CPUs and there were no ticks, samples have
 * an error of WEIGHT_BIAS of a share as well, whatever their number. 0: not known.
 */
#define WEIGHT_BIAS 0.05
uint64_t weight_worth(const struct capture_account *account);

/* Returns whether more of the CPU time is without a sample than with one; false for NULL. */
bool weight_is_unplaced(const struct capture_account *account);

#endif
