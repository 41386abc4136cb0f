/* SPDX-License-Identifier: MIT */
/*
 * Keeps what a capture costs its target below a share of the time that passes or, if that is more,
 * of the CPU time that the target uses. The cost is
 *
 *     time for which threads are held that would run + CPU time of cgsnap and its pump
 *
 * and up to as much again, in proportion to the time in which no CPU is idle: there cgsnap runs
 * where the target's threads would, and displaces their data from caches
 * (docs/decisions/0028-*.md). If the cost is higher than permitted, rounds are further apart.
 *
 * The cost of a round is measured first, while rounds are rare; then one period is kept, and
 * changed only when the load changes (docs/decisions/0049-*.md):
 *
 *     rounds  |   |   |   |        |        |       |    |    |    |    |    |    |    |    |
 *             begin   probed: cheap enough?         measured: the period that is kept
 *
 * Internal to capture/.
 */
#ifndef CAPTURE_BUDGET_H
#define CAPTURE_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

/* Limits on the cost are percents times this. */
#define BUDGET_UNIT 1000u
/* The limit that means: no limit. */
#define BUDGET_ALL (100u * BUDGET_UNIT)

/* Counters in nanoseconds (BUDGET_SIGNALS: a number) that only grow. */
enum budget_kind {
    BUDGET_WALL,        /* time that passed */
    BUDGET_TARGET,      /* CPU time of all processes of the target */
    BUDGET_SPENT,       /* cost of rounds: time of threads held, CPU time of cgsnap and its pump */
    BUDGET_IDLE,        /* idle time of this machine's CPUs, summed */
    BUDGET_SIGNAL_TIME, /* cost of stops for the target's signals, not part of BUDGET_SPENT */
    BUDGET_SIGNALS,     /* number of stops for the target's signals */
    BUDGET_KINDS
};

struct budget_use {
    double of[BUDGET_KINDS]; /* values of the counters, by enum budget_kind */
};

enum budget_state {
    BUDGET_BEGUN,    /* the first round, which copies whole stacks: its cost is not counted */
    BUDGET_PROBED,   /* a few rounds show whether they are cheap enough even if no CPU is idle */
    BUDGET_MEASURED, /* more rounds are made at a longer period to find their cost */
    BUDGET_KEPT,     /* the period is fixed; windows watch whether the load changes */
};

struct budget {
    uint32_t limit;   /* percent times BUDGET_UNIT; BUDGET_ALL: no limit */
    double period_ns; /* distance between rounds from now on */
    double asked_ns;  /* the period that the user asked for; period_ns is never shorter */
    enum budget_state state;
    bool exceeded; /* at some time a round cost too much, or period_ns was made longer */
    /*
     * Set once, never cleared: signals came at 100 per second or more and cost more than an eighth
     * of the permitted cost. The caller is to reduce the stops; rounds are measured anew.
     */
    bool signals_exceed;

    struct budget_use since; /* counters at the beginning of the current window */
    uint32_t rounds;         /* number of rounds begun in the window */
    double spent_ns;         /* BUDGET_SPENT when the last of these rounds began */
    double inverse;          /* sum of 1 / cost in ns of these rounds: for the harmonic mean */
    double permitted;        /* permitted cost, as a part of time, by the last budget_check */
    double changed_ns;       /* BUDGET_WALL when the period was last changed; 0: by a measurement */
    uint32_t dear, cheap;    /* windows in a row that cost too much (much: count 2), or little */
    double cheap_ns;         /* shortest period that all these cheap windows permit */
    double needed_ns;        /* shortest period that the last window permits */
};

/* Begins with the `limit` in percent times BUDGET_UNIT and the period that the user asked for. */
void budget_init(struct budget *budget, uint32_t limit, double period_ns);

/* Leaves time and cost between `from` and `to`, when nothing was captured, out of the window. */
void budget_skip(struct budget *budget, const struct budget_use *from, const struct budget_use *to);

/*
 * Counts a round that is about to begin, when BUDGET_WALL is `wall_ns` and BUDGET_SPENT `spent_ns`.
 * True: the window is full, and budget_check is due. Not to be called where there is no limit.
 */
bool budget_begin_round(struct budget *budget, double wall_ns, double spent_ns);

/*
 * Ends the window, with the counters `now`, and sets period_ns, state, exceeded and signals_exceed
 * by its cost.
 */
void budget_check(struct budget *budget, const struct budget_use *now);

#endif
