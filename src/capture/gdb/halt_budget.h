/* SPDX-License-Identifier: MIT */
/*
 * For how much of the time a target may be halted. Time that passes earns its share, from the
 * beginning on; each halt is paid for; and the next may begin when what was earned pays for as long
 * a halt as is to be expected. So at any time all halts together were no more than the share of
 * what had passed, but for a halt that was longer than those before it, which is made up for.
 *
 * What is expected is the longest of late: each shorter halt lets it sink by an eighth of the
 * difference. No more than a second's share, or four such halts, is saved up, so that halts do not
 * come in bunches. What attaching to the target took is paid for, too, before the first sample.
 */
#ifndef CAPTURE_GDB_HALT_BUDGET_H
#define CAPTURE_GDB_HALT_BUDGET_H

#include <stdint.h>

/* The share is in this part of a percent; HALT_BUDGET_ALL: no limit. As those of budget.h. */
#define HALT_BUDGET_UNIT 1000u
#define HALT_BUDGET_ALL  (100u * HALT_BUDGET_UNIT)

struct halt_budget {
    uint32_t share;
    int64_t credit_ns; /* as of: */
    uint64_t at_ns;
    uint64_t expected_ns;
    uint64_t count, total_ns, worst_ns;
};

void halt_budget_init(struct halt_budget *budget, uint32_t share, uint64_t now_ns);

/* The target was halted until now. */
void halt_budget_spend(struct halt_budget *budget, uint64_t now_ns, uint64_t halted_ns);

/* From when on it may be halted again. */
uint64_t halt_budget_next(const struct halt_budget *budget);

/* How far apart halts are to be, on average, so that there is always enough for the next. */
uint64_t halt_budget_period(const struct halt_budget *budget);

#endif
