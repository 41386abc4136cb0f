/* SPDX-License-Identifier: MIT */
/*
 * What each of a thread's samples stands for at once: wall time, what has passed since the thread's
 * sample before; CPU time, as the input says where it went (enum cpu_source).
 */
#ifndef GRAPH_THREAD_TIME_H
#define GRAPH_THREAD_TIME_H

#include "graph/capture_account.h"
#include "graph/profile.h"
#include "snapshot/event.h"

enum cpu_source {
    CPU_BY_SAMPLE,  /* a sample on a CPU stands for its own: perf.data, boards */
    CPU_BY_STRETCH, /* samples of a stretch share what was used in it: cpu_stretch.h */
    CPU_BY_TICK,    /* the same of ticks of the CPUs' clocks; samples only say how much it was */
};

/* Also adds to the account. With the last two CPU time follows by the stretch. */
struct weights thread_time_sample(const struct snap_sample *sample, enum cpu_source source,
                                  struct capture_account *account);

#endif
