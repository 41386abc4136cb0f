/* SPDX-License-Identifier: MIT */
/*
 * Finds priority inversions of an RTOS, by the threads' own priorities:
 *
 *     high     waits for a mutex that `low` holds
 *     middle   runs
 *     low      does not run
 *
 * All three were found so at one moment: samples of one halt are. With priority inheritance `low`
 * is raised above `middle`, and runs itself, unless it waits for something else.
 */
#ifndef THREADS_BLOCKING_INVERSION_H
#define THREADS_BLOCKING_INVERSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "threads/blocking/wait_graph.h"

#define INVERSIONS_MAX 64

/*
 * Bounds the search to this many steps for each thread and span of the history; a step looks at
 * one thread, or one span of it. With up to 256 threads, the most that are read of an RTOS, nothing
 * is left out.
 */
#define INVERSION_STEPS 1024

struct inversion {
    uint32_t waiter, holder, runner; /* threads: indexes in the history's `threads` */
    uint32_t wait;                   /* the waiter's wait: index in the history's waits */
    uint64_t ns;                     /* total time of the inversion; 0: seen at one moment only */
    uint64_t last_ns;                /* when the inversion was last seen, on the snapshot's clock */
    bool is_raised; /* the holder's last known priority is at least the waiter's own */
};

struct inversions { /* a history's priority inversions, the longest first */
    struct inversion list[INVERSIONS_MAX];
    size_t count;
    bool is_cut;         /* there may be more: the list is full, or the steps are spent */
    uint64_t steps_left; /* private: steps that the search may still make */
};

/* Fills *out (whatever it held) with the priority inversions of the graph's history. NO_MEMORY. */
MUST_CHECK enum status inversions_find(const struct wait_graph *graph, struct inversions *out);

#endif
