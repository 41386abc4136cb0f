/* SPDX-License-Identifier: MIT */
/*
 * When rounds begin, and whether one began on time, which decides what its samples can tell of who
 * had a CPU. docs/decisions/0022-who-had-a-cpu.md says how both were found.
 *
 * Rounds lie in the first half of the periods of a grid, each anywhere in it, so that they are half
 * a period to one and a half apart; and the grid's own period is drawn anew each 16 rounds, so that
 * no program keeps in step with it. Any time has as many rounds as any other, but for one
 * (decision 49):
 *
 *     grid    |           |           |           |            |            |            |
 *     rounds    x         x             x            x                 x     x
 */
#ifndef CAPTURE_PACE_H
#define CAPTURE_PACE_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

/* How a round began. */
struct pace_round {
    uint64_t began_ns; /* when we woke up for it, or found it due */
    int cpu;           /* where that was; -1: not known */
    bool on_time;      /* what ran there was pushed off just then */
};

/*
 * By how much later than a round's begin threads seem to have been queued that it pushed off: how
 * often in each of these steps. It is much the same each time, as it is what a machine takes to see
 * a stop.
 */
#define PACE_LAGS       64
#define PACE_LAG_STEP   INT64_C(4000)   /* ns */
#define PACE_LAG_LOWEST INT64_C(-64000) /* of the first step */

struct pace {
    uint64_t period_ns; /* on average */
    uint64_t due_ns;    /* of the next round */
    uint64_t offset_ns; /* by so much that is behind the grid */
    uint64_t step_ns;   /* the grid's own period */
    unsigned steps;     /* for so many more rounds */
    uint64_t random;
    int schedstat_fd; /* our own; -1: there is none */
    cpu_set_t cpus;   /* that we may run on */
    bool single_cpu;  /* there is one */
    int kept_cpu;     /* the one that we keep to; -1: any */

    uint64_t slept_ns; /* when we last went to sleep */
    uint64_t until_ns; /* until when, at most */
    uint64_t
        still_ns; /* for so much longer we were stopped, or frozen; 0: for nothing to speak of */
    uint64_t delay_ns; /* how long we had waited for CPUs then, or, if nothing ran, before */
    uint64_t ready_ns; /* when we were woken, and began to wait for a CPU; or before that */
    uint64_t woke_ns;  /* when that sleep ended by itself; 0: it did not */
    bool at_once;      /* and we had a CPU at once */

    bool is_wanted;          /* the next round is to tell who has a CPU: somebody may */
    struct pace_round round; /* that began last */
    uint8_t lags[PACE_LAGS];
    unsigned lag_count;
};

/* Asks the scheduler to be woken at once, as far as that is permitted; children do not inherit. */
void pace_ask_scheduler(void);

/* Before all others. The first round is due now. */
void pace_init(struct pace *pace, uint64_t period_ns);
void pace_deinit(struct pace *pace);

/* Rounds are so far apart from now on. */
void pace_set_period(struct pace *pace, uint64_t period_ns);

/* How many rounds lie more than a period back; they are left out. */
uint64_t pace_skip(struct pace *pace, uint64_t now);
/* The round that is due begins. */
void pace_begin_round(struct pace *pace);

/* At random, below `below`, which is not 0. */
uint64_t pace_draw(struct pace *pace, uint64_t below);

/* Where we wake up next, so that what runs there is pushed off; -1: anywhere. */
void pace_keep_to(struct pace *pace, int cpu);

/* Before and after each sleep; `end`: what the backend's wait has returned. */
void pace_sleep(struct pace *pace, uint64_t until_ns);
void pace_wake(struct pace *pace, int end);

/*
 * How long we have waited for CPUs, or stood still for another reason, since we last went to sleep;
 * or since before that.
 */
uint64_t pace_waited(const struct pace *pace);

/* What is known of a thread that was asked to stop, and has stopped. */
struct pace_stop {
    struct pace_round round;    /* in which it was asked */
    uint64_t asked_ns, seen_ns; /* when that was; when its stop was seen */
    uint64_t before_ns;         /* then it had not stopped */
    int cpu;                    /* on which it has stopped; -1: not known */
    /* Since its last stop: CPU time, and how often it got a CPU. */
    uint64_t used_ns, used_slices;
    /* Since its usage was read, just before it was asked: */
    uint64_t slices;    /* how often it got a CPU */
    uint64_t waited_ns; /* and how long it waited for that */
};

/*
 * Has it had no CPU but the one that it was on since its usage was read, so that it was there when
 * the round began, then this tells whether it is fair to count it: its turns, but for the one in
 * which we let it go on, are long. Else only a wake-up on its CPU finds it there.
 */
bool pace_turns_are_long(const struct pace_stop *stop);

/* Was it on our CPU until we woke up for the round, which took it from there? */
bool pace_was_pushed(struct pace *pace, const struct pace_stop *stop);

#endif
