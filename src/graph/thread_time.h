/* SPDX-License-Identifier: MIT */
/*
 * Which of a thread's samples stands for how much of its time. Its samples tell how much CPU time
 * it has used; where that went only those tell that find it on a CPU, or the CPUs' clocks.
 */
#ifndef GRAPH_THREAD_TIME_H
#define GRAPH_THREAD_TIME_H

#include <stdbool.h>
#include <stdint.h>

#include "graph/capture_account.h"
#include "graph/profile.h"
#include "snapshot/event.h"

struct thread_time {     /* zero it */
    uint64_t cpu_ns;     /* used since it was last found on a CPU, or found asleep first */
    uint64_t ready_ns;   /* used before it was found waiting for a CPU, of what is not given yet */
    uint64_t readied_ns; /* the same, in all */
    uint64_t runs;       /* how often it was found on a CPU since then */
    uint64_t clocked_ns; /* used, where there are ticks */
    uint64_t ticks, ticked_ns;          /* and what these stood for, */
    uint64_t settled_ticks, settled_ns; /* as of the last sample */
};

/*
 * What the thread's next sample stands for; also added to the account. `has_ticks`: a process of
 * the snapshot has, and they say where CPU time went.
 */
struct weights thread_time_sample(struct thread_time *thread, const struct snap_sample *sample,
                                  bool has_ticks, struct capture_account *account);

/* The CPU time that the thread's next tick stands for, in ns. */
uint64_t thread_time_tick(struct thread_time *thread, const struct snap_sample *tick);

#endif
