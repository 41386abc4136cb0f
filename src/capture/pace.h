/* SPDX-License-Identifier: MIT */
/*
 * Decides when rounds begin, and tells whether a round began on time, which decides what its
 * samples can tell of who had a CPU (docs/decisions/0022-who-had-a-cpu.md).
 *
 * Rounds lie in the first halves of the periods of a grid, at random, so that two are half a period
 * to one and a half apart. The grid's own period is drawn anew every 16 rounds, within 1/32 of the
 * wanted one, so that no program keeps in step with it. Any two stretches of the same length have
 * as many rounds, but for one (decision 49):
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
    uint64_t began_ns; /* when cgsnap woke up for it, or found it due */
    int cpu;           /* CPU on which it was; -1: not known */
    bool on_time;      /* cgsnap got that CPU at once: what ran there was pushed off then */
};

/*
 * Histogram of lags: how much later than the round's begin threads seem to have been queued that
 * the wake-up pushed off. A machine takes about the same time each time to see a stop.
 */
#define PACE_LAGS       64
#define PACE_LAG_STEP   INT64_C(4000)   /* ns */
#define PACE_LAG_LOWEST INT64_C(-64000) /* where the first step begins */

struct pace {
    uint64_t period_ns; /* on average */
    uint64_t due_ns;    /* when the next round is due */
    uint64_t offset_ns; /* due_ns less the begin of the grid's period that it lies in */
    uint64_t step_ns;   /* the grid's own period */
    unsigned steps;     /* rounds for which step_ns holds yet */
    uint64_t random;
    int schedstat_fd; /* cgsnap's /proc/thread-self/schedstat; -1: none */
    cpu_set_t cpus;   /* that cgsnap may run on */
    bool single_cpu;  /* cpus has one only */
    int kept_cpu;     /* the CPU that cgsnap is bound to; -1: any of them */

    uint64_t slept_ns; /* when cgsnap last went to sleep, */
    uint64_t until_ns; /* and until when, at most */
    uint64_t still_ns; /* longer than that, as cgsnap was stopped or frozen; 0: < 5 ms */
    uint64_t delay_ns; /* its waiting time for CPUs at slept_ns; older unless is_wanted */
    uint64_t ready_ns; /* when cgsnap was woken and began to wait for a CPU, or earlier */
    uint64_t woke_ns;  /* when the sleep ended because a round was due; 0: otherwise */
    bool at_once;      /* and cgsnap had a CPU within 4 us */

    bool is_wanted;          /* some thread was runnable: the next round is to tell who has a CPU */
    struct pace_round round; /* the round that began last */
    uint8_t lags[PACE_LAGS];
    unsigned lag_count;
};

/*
 * Asks the scheduler to wake cgsnap at once: least timer slack, nice -20, SCHED_FIFO or else a
 * short slice; as far as permitted. Children do not inherit the policy.
 */
void pace_ask_scheduler(void);

/* Call before the others. The first round is due now. */
void pace_init(struct pace *pace, uint64_t period_ns);
void pace_deinit(struct pace *pace);

/* Makes rounds `period_ns` apart, on average; the round that is due stays where it is. */
void pace_set_period(struct pace *pace, uint64_t period_ns);

/* Moves due_ns on by whole periods that have passed, and returns how many rounds are left out. */
uint64_t pace_skip(struct pace *pace, uint64_t now);
/* Begins the round that is due: sets `round`, and draws when the next is due. */
void pace_begin_round(struct pace *pace);

/* Returns a random number less than `below`, which is not 0. Not for secrets. */
uint64_t pace_draw(struct pace *pace, uint64_t below);

/* Binds cgsnap to `cpu`, so that its wake-up pushes off what runs there; -1: to none. */
void pace_keep_to(struct pace *pace, int cpu);

/* Call before and after each sleep; `end`: what the backend's wait has returned. */
void pace_sleep(struct pace *pace, uint64_t until_ns);
void pace_wake(struct pace *pace, int end);

/*
 * Returns for how many ns cgsnap has waited for CPUs, or was stopped, since it last went to sleep
 * (or for longer than that: if not is_wanted, delay_ns is older).
 */
uint64_t pace_waited(const struct pace *pace);

/* A thread that was asked to stop, and has stopped. */
struct pace_stop {
    struct pace_round round;    /* the round in which it was asked */
    uint64_t asked_ns, seen_ns; /* when it was asked; when its stop was seen */
    uint64_t before_ns;         /* a time at which it had not stopped yet */
    int cpu;                    /* where it has stopped; -1: not known */
    /* since its last stop: CPU time, and how often it got a CPU */
    uint64_t used_ns, used_slices;
    /* since its usage was read, just before it was asked: */
    uint64_t slices;    /* how often it got a CPU */
    uint64_t waited_ns; /* and how long it waited for CPUs */
};

/*
 * For a thread with `slices` 0, which was on its CPU when the round began: is it fair to count it
 * as running? True: its turns on CPUs, other than the one in which cgsnap let it go on, are long
 * compared with the time of a request to stop. False: only a wake-up on its CPU finds it fairly.
 */
bool pace_turns_are_long(const struct pace_stop *stop);

/* Did the round's wake-up push the thread off cgsnap's CPU? Notes the lag of a candidate. */
bool pace_was_pushed(struct pace *pace, const struct pace_stop *stop);

#endif
