/* SPDX-License-Identifier: MIT */
/*
 * Priority inversions of an RTOS: a thread waits for a mutex whose holder has a lower priority of
 * its own and does not run, while a third thread runs whose priority is between the two. It is
 * seen where a sample found all three so at one moment, as all samples of a halt are of one.
 *
 * With priority inheritance the holder is raised above the one that runs, and runs itself; unless
 * it waits for something else, which inheritance does not help.
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
 * Looked at for each span, on average: threads, and spans of theirs. Of 256 threads, which is what
 * an RTOS has here at the most, none is left out; of a file that tells of more, some may be.
 */
#define INVERSION_STEPS 1024

struct inversion {
    uint32_t waiter, holder, runner; /* in the history's threads */
    uint32_t wait;                   /* in its waits: of the waiter */
    uint64_t ns;                     /* how long; 0 in what is of one moment */
    uint64_t last_ns;                /* when it was last seen */
    bool is_raised; /* the holder's priority was no lower than the waiter's when last told */
};

struct inversions { /* the longest first */
    struct inversion list[INVERSIONS_MAX];
    size_t count;
    bool is_cut;         /* there may be more: the list is full, or the steps are spent */
    uint64_t steps_left; /* private */
};

void inversions_find(const struct wait_graph *graph, struct inversions *out);

#endif
