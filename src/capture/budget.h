/* SPDX-License-Identifier: MIT */
/*
 * What a capture may cost its target: of the time that passes or, if that is more, of the CPU time
 * that the target uses, a part at most. It costs the time for which threads are held that would
 * run, and our own CPU time, which is theirs where CPUs are contended. And as much again where no
 * CPU is idle: there we run where they would, and what they had in its caches is gone (decision
 * 28). More than that, and rounds are further apart. Internal to capture/.
 */
#ifndef CAPTURE_BUDGET_H
#define CAPTURE_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

/* Percent times this. */
#define BUDGET_UNIT 1000u
/* No limit. */
#define BUDGET_ALL (100u * BUDGET_UNIT)

/* Nanoseconds since some moment, the same for all. */
struct budget_use {
    uint64_t wall_ns;   /* that passed */
    uint64_t target_ns; /* CPU time of the target's, of all its processes */
    uint64_t held_ns;   /* its threads were held */
    uint64_t own_ns;    /* CPU time of ours, and of the pump's */
    uint64_t idle_ns;   /* for which CPUs of this machine were idle, all together */
    /* For signals, which rounds have nothing to do with: its threads were held, or ours. */
    uint64_t signals_ns;
    uint64_t signals; /* how many */
};

struct budget {
    uint32_t limit;          /* BUDGET_UNIT to a percent; BUDGET_ALL: there is none */
    uint64_t asked_ns;       /* the period that was asked for */
    struct budget_use since; /* as of when it was last checked */
    bool exceeded;           /* ever */
    /* Ever: they were many, and have cost more than an eighth of what is permitted. */
    bool signals_exceed;
};

void budget_init(struct budget *budget, uint32_t limit, uint64_t period_ns,
                 const struct budget_use *now);

/* From `from` to `to` nothing was captured: that time, and what it cost, is not checked. */
void budget_skip(struct budget *budget, const struct budget_use *from, const struct budget_use *to);

/* Is it time to check? Once a second. */
bool budget_is_due(const struct budget *budget, uint64_t wall_ns);

/* How far apart rounds are to be from now on, given that they have been `period_ns`. */
uint64_t budget_check(struct budget *budget, const struct budget_use *now, uint64_t period_ns);

#endif
