/* SPDX-License-Identifier: MIT */
/* What is known of one or several captures as a whole: counts, times, losses, rates. */
#ifndef GRAPH_CAPTURE_ACCOUNT_H
#define GRAPH_CAPTURE_ACCOUNT_H

#include <stdbool.h>
#include <stdint.h>

#include "snapshot/format.h"

/* What all samples together tell of CPUs. */
struct cpu_account {
    uint64_t used_ns, waited_ns; /* by threads: on CPUs; runnable without one */
    uint64_t placed_ns;          /* of used_ns, what samples and ticks stand for */
    uint64_t places;             /* samples that stand for some of it; ticks are not among them */
    uint64_t squares_us2; /* of what each sample and tick stands for, added up; 0: not known */
    uint64_t ticks;       /* of CPUs' clocks, whose estimate of used_ns placed_ns is then: */
    uint64_t cut_ns;      /* of placed_ns, by ticks whose chain does not reach the thread's start */
    bool by_clock;        /* in some, ticks tell where it went */
    bool untold;          /* in some, a thread that waits for a CPU passes for one that has it */
};

/* A capture's; 0: not known. Of several it is that of which the least part was reached. */
struct capture_rate {
    uint64_t asked_mhz, reached_mhz;
};

/* Of captures in any order; what a single round or a few reached tells nothing. */
#define CAPTURE_RATE_ROUNDS_MIN 5
void capture_rate_add(struct capture_rate *least, const struct capture_rate *rate);

/* What is known of one or several captures together. */
struct capture_account {
    uint64_t captures; /* snapshots, and those of which profiles were made */
    uint64_t samples, ready,
        wall_ns; /* that count; of threads that were ready; what they stand for */
    struct cpu_account cpu;
    uint64_t lost[SNAP_LOSS_REASONS]; /* samples, and ticks; a summary counts samples, too */
    struct capture_rate rate;
};

void capture_account_add(struct capture_account *sum, const struct capture_account *account);

#endif
