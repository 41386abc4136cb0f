/* SPDX-License-Identifier: MIT */
/*
 * How much of its stack each thread used, and how large that is. Where stacks lie next to each
 * other in one mapping (a pool of pthread_attr_setstack, stacks without guard pages, an array in
 * another thread's frame) the mapping tells neither:
 *
 *     mapping  |--- stack A ------|--- stack B ------|--- stack C ------|
 *                     SP   begin         SP   begin         SP   begin
 *
 * There what is used is counted up to the frame in which the thread began, and how large the stack
 * is is not known.
 */
#ifndef THREADS_STACKS_H
#define THREADS_STACKS_H

#include <stdint.h>

#include "base/status.h"
#include "threads/history.h"

/*
 * What a thread library has above a thread's first frame: the control block and the static TLS of
 * all modules, some KiB. A mapping that goes on for longer is not for this thread alone, or has TLS
 * so large that it is no matter of the stack.
 */
#define STACKS_ABOVE_BEGIN_MAX (UINT64_C(64) << 10)

struct stack_size {
    uint64_t used;   /* bytes, at the most; 0: not known */
    uint64_t mapped; /* bytes there are for this thread alone; 0: not known */
};

/* By thread; *out is the caller's to free. */
MUST_CHECK enum status stacks_measure(const struct history *history, struct stack_size **out);

#endif
