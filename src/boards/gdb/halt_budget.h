/* SPDX-License-Identifier: MIT */
/*
 * Bounds the share of time for which a target is halted. Time that passes earns its share; each
 * halt is paid for; the next may begin when what was earned pays for a halt of the expected length.
 * So at any time all halts together are at most the share of the time that has passed, but for a
 * halt that was longer than expected, which later ones make up for.
 *
 * The expected length is the longest of late: each shorter halt lets it sink by an eighth of the
 * difference. No more than a second's share, or four expected halts, is saved up, so that halts do
 * not come in bunches. Attaching is paid for, too, before the first sample.
 */
#ifndef BOARDS_GDB_HALT_BUDGET_H
#define BOARDS_GDB_HALT_BUDGET_H

#include <stdint.h>

/* A share is a percentage times HALT_BUDGET_UNIT; HALT_BUDGET_ALL: no limit. As in budget.h. */
#define HALT_BUDGET_UNIT 1000u
#define HALT_BUDGET_ALL  (100u * HALT_BUDGET_UNIT)

struct halt_budget {
    uint32_t share;                     /* percent times HALT_BUDGET_UNIT */
    int64_t credit_ns;                  /* halted time that was earned and not spent at at_ns */
    uint64_t at_ns;                     /* end of the last halt (CLOCK_MONOTONIC) */
    uint64_t expected_ns;               /* expected length of the next halt */
    uint64_t count, total_ns, worst_ns; /* number of halts; their sum; the longest */
};

/* Begins at `now_ns` without credit; the target may be halted for `share` of the time. */
void halt_budget_init(struct halt_budget *budget, uint32_t share, uint64_t now_ns);

/* Adds a halt that took `halted_ns` and ended at `now_ns` (CLOCK_MONOTONIC). */
void halt_budget_spend(struct halt_budget *budget, uint64_t now_ns, uint64_t halted_ns);

/* Returns the earliest time (CLOCK_MONOTONIC, ns) at which the target may be halted again. */
uint64_t halt_budget_next(const struct halt_budget *budget);

/* Returns the distance, in ns, at which halts of the expected length fit the share; 0: no limit. */
uint64_t halt_budget_period(const struct halt_budget *budget);

#endif
