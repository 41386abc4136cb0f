/* SPDX-License-Identifier: MIT */
/*
 * Decides when rounds begin, and tells whether a round began on time, which decides what its
 * samples can tell of who had a CPU (docs/decisions/0022-who-had-a-cpu.md).
 *
 * Rounds lie in the first halves of the periods of a grid, at random, so that two rounds are half a
 * period to one and a half apart. The grid's own period is drawn anew every 16 rounds, within 1/32
 * of the wanted period, so that no program keeps in step with the grid. Stretches of time of the
 * same length have the same number of rounds, or one more or less (docs/decisions/0049-*.md):
 *
 *     grid    |           |           |           |            |            |            |
 *     rounds    x         x             x            x                 x     x
 */
#ifndef CAPTURE_PACE_H
#define CAPTURE_PACE_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

/* The begin of a round. */
struct pace_round {
    uint64_t began_ns; /* when cgsnap woke up for the round, or found it due (CLOCK_MONOTONIC) */
    int cpu;           /* CPU of cgsnap at that time; -1: not known */
    bool on_time;      /* cgsnap got that CPU at once, and pushed off the thread that ran there */
};

/*
 * Histogram of lags. A lag is the time from a round's begin until a thread seems to have begun to
 * wait for a CPU that cgsnap's wake-up may have pushed off. On one machine it is nearly constant.
 */
#define PACE_LAGS       64              /* number of steps */
#define PACE_LAG_STEP   INT64_C(4000)   /* ns to a step */
#define PACE_LAG_LOWEST INT64_C(-64000) /* ns at which the first step begins */

struct pace {
    uint64_t period_ns; /* average distance of rounds */
    uint64_t due_ns;    /* when the next round is due (CLOCK_MONOTONIC, as all times here) */
    uint64_t offset_ns; /* from the begin of the grid's period to due_ns */
    uint64_t step_ns;   /* the grid's own period */
    unsigned steps;     /* number of further rounds with this step_ns */
    uint64_t random;    /* state of pace_draw */
    int schedstat_fd;   /* cgsnap's /proc/thread-self/schedstat, owned; -1: there is none */
    cpu_set_t cpus;     /* CPUs that cgsnap may run on */
    bool single_cpu;    /* `cpus` has one CPU */
    int kept_cpu;       /* the CPU that cgsnap is bound to; -1: to none */

    uint64_t slept_ns; /* when cgsnap last went to sleep */
    uint64_t until_ns; /* when this sleep was to end at the latest */
    uint64_t still_ns; /* how long cgsnap was stopped or frozen in this sleep; 0: < 5 ms */
    uint64_t delay_ns; /* cgsnap's total wait for CPUs at slept_ns; older unless is_wanted */
    uint64_t ready_ns; /* when cgsnap was woken and began to wait for a CPU, or earlier */
    uint64_t woke_ns;  /* when the sleep ended, if because a round was due; else 0 */
    bool at_once;      /* with woke_ns: cgsnap had a CPU within 4 us */

    bool is_wanted;          /* a thread was runnable: the next round is to tell who has a CPU */
    struct pace_round round; /* the round that began last */
    uint8_t lags[PACE_LAGS]; /* the histogram: number of lags in each step */
    unsigned lag_count;      /* number of lags noted so far */
};

/*
 * Asks the scheduler to wake the calling thread at once: least timer slack, nice -20, SCHED_FIFO or
 * else a short slice; as far as permitted. Children do not inherit SCHED_FIFO.
 */
void pace_ask_scheduler(void);

/* Initialises `pace`; the first round is due now. To be called before the functions below. */
void pace_init(struct pace *pace, uint64_t period_ns);
void pace_deinit(struct pace *pace);

/* Makes rounds `period_ns` apart, on average. The time of the next round, due_ns, stays. */
void pace_set_period(struct pace *pace, uint64_t period_ns);

/* Moves due_ns on by the whole periods that have passed since, and returns their number. */
uint64_t pace_skip(struct pace *pace, uint64_t now);
/* Begins the due round: fills pace->round, and sets due_ns to a random time for the next round. */
void pace_begin_round(struct pace *pace);

/* Returns a random number less than `below`, which is not 0. Not for secrets. */
uint64_t pace_draw(struct pace *pace, uint64_t below);

/*
 * Binds the calling thread to `cpu`, so that its wake-up pushes off the thread that runs there; -1,
 * or a CPU that it may not run on: to none.
 */
void pace_keep_to(struct pace *pace, int cpu);

/*
 * To be called before and after each sleep. `until_ns`: the sleep's latest end; `end`: the result
 * of the backend's `wait`.
 */
void pace_sleep(struct pace *pace, uint64_t until_ns);
void pace_wake(struct pace *pace, int end);

/*
 * Returns for how many ns cgsnap has waited for CPUs, or was stopped, since it last went to sleep;
 * unless is_wanted was set then, since an earlier sleep.
 */
uint64_t pace_waited(const struct pace *pace);

/* A thread that was asked to stop, and has stopped. */
struct pace_stop {
    struct pace_round round;    /* the round in which the thread was asked to stop */
    uint64_t asked_ns, seen_ns; /* when it was asked; when its stop was seen */
    uint64_t before_ns;         /* a time at which it had not stopped yet */
    int cpu;                    /* the CPU on which it stopped; -1: not known */
    /* since its last stop: its CPU time, and how often it got a CPU */
    uint64_t used_ns, used_slices;
    uint64_t slices;    /* how often it got a CPU since just before asked_ns */
    uint64_t waited_ns; /* how long it waited for CPUs since just before asked_ns */
};

/*
 * Whether it is fair to count a thread with `slices` 0, which was on its CPU when the round began,
 * as running: its turns on CPUs, except the turn in which cgsnap let it go on, are long compared
 * with the time that a request to stop takes. False: such a thread is only counted fairly if
 * cgsnap's wake-up pushed it off its CPU.
 */
bool pace_turns_are_long(const struct pace_stop *stop);

/*
 * Whether cgsnap's wake-up for the round pushed the thread off its CPU. Adds the lag of a thread
 * for which that is possible to pace->lags. False also if it is not known.
 */
bool pace_was_pushed(struct pace *pace, const struct pace_stop *stop);

#endif
