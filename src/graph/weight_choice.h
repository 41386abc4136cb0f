/* SPDX-License-Identifier: MIT */
/*
 * Which weight answers "what is hot?" where nobody has asked for one. The first that fits:
 *
 *     what was read                                      weight
 *     a trace of calls                                   calls
 *     states were asked for, and running is none         wall time
 *     no CPU time, as of a core, or none that a sample   wall time if there is any,
 *       has, as of one round                             off-CPU time if there is, else samples
 *     CPU time below 1 % of one CPU (a deadlock, an      wall time if there is any
 *       idle server), or with a place by few samples,
 *       or of less than half of it
 *     all else                                           CPU time
 *     what a filter leaves has none                      the next one: wall time, samples
 *
 * In a comparison both sides have to have it. docs/decisions/0050-a-sample-stands-for-time.md.
 */
#ifndef GRAPH_WEIGHT_CHOICE_H
#define GRAPH_WEIGHT_CHOICE_H

#include "graph/capture_account.h"
#include "graph/filter.h"
#include "graph/profile.h"

#define WEIGHT_CHOICE_BUSY_PERCENT 1u  /* of one CPU */
#define WEIGHT_CHOICE_PLACES       10u /* samples and ticks on a CPU; fewer say little */

enum weight_reason {
    WEIGHT_GIVEN,         /* somebody has asked for it, or it is the only one */
    WEIGHT_IS_HOT,        /* CPU time */
    WEIGHT_HARDLY_RAN,    /* not CPU time, as there is little */
    WEIGHT_FEW_RUNNING,   /* not CPU time, as few samples tell where it went */
    WEIGHT_BASE_UNPLACED, /* not CPU time, as most of the baseline's is without a sample */
    WEIGHT_NOTHING_RAN,   /* not CPU time, as what is shown has none */
};

struct weight_choice {
    enum weight_kind weight;
    enum weight_reason reason;
};

/*
 * `own`: of what is not the baseline, `base`: of that; NULL: nothing is known of how many samples
 * have a part of the CPU time. `duration_ns`: of all captures together; 0: not known. `filter` may
 * be NULL.
 */
struct weight_choice weight_choose(const struct profile *profile, const struct graph_filter *filter,
                                   const struct capture_account *own,
                                   const struct capture_account *base, uint64_t duration_ns);

/* What a filter leaves has none of that weight: the next one; false: there is none. */
bool weight_choose_next(struct weight_choice *choice);

/* How many samples and ticks stand for the CPU time; 0: not known. */
uint64_t weight_carriers(const struct capture_account *account);

/*
 * As how many samples that are right, all alike and independent that is: the fewer the more unlike
 * they are, (Σ w)² / Σ w². Where threads waited for CPUs and no clock of theirs told, samples are a
 * little wrong as well, whatever their number: by WEIGHT_BIAS of a share. 0: not known.
 */
#define WEIGHT_BIAS 0.05
uint64_t weight_worth(const struct capture_account *account);

/* Is more of the CPU time without a sample than with one, as of one round? NULL: no. */
bool weight_is_unplaced(const struct capture_account *account);

#endif
