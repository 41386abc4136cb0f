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

/* Units of a share: this many to a percent; HALT_BUDGET_ALL: no limit. As in budget.h. */
#define HALT_BUDGET_UNIT 1000u
#define HALT_BUDGET_ALL  (100u * HALT_BUDGET_UNIT)

struct halt_budget {
    uint32_t share;
    int64_t credit_ns; /* earned and not spent, at at_ns */
    uint64_t at_ns;
    uint64_t expected_ns;
    uint64_t count, total_ns, worst_ns;
};

void halt_budget_init(struct halt_budget *budget, uint32_t share, uint64_t now_ns);

/* Accounts for a halt of `halted_ns` that ends now. */
void halt_budget_spend(struct halt_budget *budget, uint64_t now_ns, uint64_t halted_ns);

/* Returns from when on the target may be halted again. */
uint64_t halt_budget_next(const struct halt_budget *budget);

/* Returns the average distance of halts that the share pays for, in ns; 0: no limit. */
uint64_t halt_budget_period(const struct halt_budget *budget);

#endif
