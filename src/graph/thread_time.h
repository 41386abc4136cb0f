/* SPDX-License-Identifier: MIT */
/*
 * The weights that a thread's sample has at once: wall time since its previous sample, and CPU
 * time, depending on how the input places it (enum cpu_source).
 */
#ifndef GRAPH_THREAD_TIME_H
#define GRAPH_THREAD_TIME_H

#include "graph/capture_account.h"
#include "graph/profile.h"
#include "snapshot/event.h"

enum cpu_source {
    CPU_BY_SAMPLE,  /* a sample on a CPU has its own CPU time: perf.data, boards */
    CPU_BY_STRETCH, /* samples of a stretch share the stretch's CPU time: cpu_stretch.h */
    CPU_BY_TICK,    /* ticks of a stretch share its CPU time; samples only say how much it was */
};

/*
 * Returns the sample's weights and adds the sample to the account. WEIGHT_CPU is 0 without
 * CPU_BY_SAMPLE: the caller gives the stretch's CPU time to places (cpu_stretch.h).
 */
struct weights thread_time_sample(const struct snap_sample *sample, enum cpu_source source,
                                  struct capture_account *account);

#endif
