/* SPDX-License-Identifier: MIT */
/* Facts of one or several captures as a whole: counts, times, losses, rates. */
#ifndef GRAPH_CAPTURE_ACCOUNT_H
#define GRAPH_CAPTURE_ACCOUNT_H

#include <stdbool.h>
#include <stdint.h>

#include "snapshot/format.h"

/* CPU time of all samples together. */
struct cpu_account {
    uint64_t used_ns, waited_ns; /* by threads: on CPUs; runnable without a CPU */
    uint64_t placed_ns;          /* given to samples and ticks; with ticks an estimate of used_ns */
    uint64_t places;             /* samples that were given some of it, without ticks */
    uint64_t squares_us2; /* sum of squares of what each sample and tick was given; 0: not known */
    uint64_t ticks;       /* ticks of CPUs' clocks */
    uint64_t cut_ns; /* part of placed_ns of ticks whose chain does not reach the thread's start */
    bool by_clock;   /* some capture has ticks */
    bool untold;     /* in some capture a thread that waits for a CPU looks like one that has it */
};

/* A capture's rate; 0: not known. Of several the one that reached the least part of its own. */
struct capture_rate {
    uint64_t asked_mhz, reached_mhz;
};

/*
 * Lowers *least to `rate` if that reached a smaller part; the order of captures does not matter.
 * Captures with fewer rounds than this say nothing of the rate.
 */
#define CAPTURE_RATE_ROUNDS_MIN 5
void capture_rate_add(struct capture_rate *least, const struct capture_rate *rate);

/* Sums over one or several captures. */
struct capture_account {
    uint64_t captures; /* snapshots, those behind profiles included */
    /* samples that count; those of ready threads; wall time of all */
    uint64_t samples, ready, wall_ns;
    struct cpu_account cpu;
    uint64_t lost[SNAP_LOSS_REASONS]; /* samples, and ticks, by reason */
    struct capture_rate rate;
};

void capture_account_add(struct capture_account *sum, const struct capture_account *account);

#endif
