/* SPDX-License-Identifier: MIT */
/*
 * What each of a thread's samples and ticks stands for. Wall time: what has passed since the
 * thread's sample before. CPU time: as the input says where it went (enum cpu_source).
 */
#ifndef GRAPH_THREAD_TIME_H
#define GRAPH_THREAD_TIME_H

#include <stdbool.h>
#include <stdint.h>

#include "graph/capture_account.h"
#include "graph/cpu_stretch.h"
#include "graph/profile.h"
#include "snapshot/event.h"

enum cpu_source {
    CPU_BY_SAMPLE,  /* a sample on a CPU stands for its own: perf.data, boards */
    CPU_BY_STRETCH, /* samples of a stretch share what was used in it: cpu_stretch.h */
    CPU_BY_TICK,    /* the CPUs' clocks tell, and samples only how much it was */
};

struct thread_time { /* zero it */
    struct cpu_stretch stretch;
    uint64_t clocked_ns;                    /* used, where there are ticks */
    uint64_t period_ns, ticked_ns;          /* of all ticks: their periods, what they stood for */
    uint64_t settled_period_ns, settled_ns; /* the same as of the last sample */
};

/*
 * What the thread's next sample stands for at once; also added to the account. With CPU_BY_STRETCH
 * CPU time follows by the stretch.
 */
struct weights thread_time_sample(struct thread_time *thread, const struct snap_sample *sample,
                                  enum cpu_source source, struct capture_account *account);

/* The CPU time that the thread's next tick stands for, in ns. */
uint64_t thread_time_tick(struct thread_time *thread, const struct snap_sample *tick);

#endif
