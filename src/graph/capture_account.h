/* SPDX-License-Identifier: MIT */
/* Sums of facts about one or several captures: counts, times, losses, rates. */
#ifndef GRAPH_CAPTURE_ACCOUNT_H
#define GRAPH_CAPTURE_ACCOUNT_H

#include <stdbool.h>
#include <stdint.h>

#include "snapshot/format.h"

/* CPU time of all threads together. */
struct cpu_account {
    uint64_t used_ns, waited_ns; /* time of threads on CPUs; runnable without a CPU */
    uint64_t placed_ns;          /* given to samples and ticks; with ticks an estimate of used_ns */
    uint64_t places;             /* number of samples, without ticks, that were given CPU time */
    uint64_t squares_us2; /* sum of squares of the µs given to each sample, tick; 0: not known */
    uint64_t ticks;       /* number of ticks of CPUs' clocks */
    uint64_t cut_ns; /* part of placed_ns of ticks whose chain does not reach the thread's start */
    bool by_clock;   /* some capture has ticks */
    bool untold;     /* in some capture a thread that waits for a CPU looks like one that has it */
};

/*
 * A capture's rate of rounds; 0: not known. Of several captures, that of the capture whose
 * reached_mhz is the least part of its asked_mhz.
 */
struct capture_rate {
    uint64_t asked_mhz, reached_mhz;
};

/* The rate of a capture with fewer rounds tells nothing, and is not added. */
#define CAPTURE_RATE_ROUNDS_MIN 5
/*
 * Sets *least to `rate` if that is known and reached a smaller part of the rate asked for. The
 * order in which captures are added does not matter.
 */
void capture_rate_add(struct capture_rate *least, const struct capture_rate *rate);

/* Sums over one or several captures. */
struct capture_account {
    uint64_t captures; /* number of snapshots, also of those from which read profiles were made */
    /* number of samples that count; of ready threads' among them; wall time of all of them */
    uint64_t samples, ready, wall_ns;
    struct cpu_account cpu;
    uint64_t lost[SNAP_LOSS_REASONS]; /* number of lost samples and ticks, by enum snap_loss */
    struct capture_rate rate;
};

/* Adds `account` to *sum. */
void capture_account_add(struct capture_account *sum, const struct capture_account *account);

#endif
