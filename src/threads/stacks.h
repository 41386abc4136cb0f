/* SPDX-License-Identifier: MIT */
/*
 * Measures how much of its stack each thread used, and how large its stack is.
 *
 *     one stack in its mapping:  used = mapping's end - SP,  size = the mapping's
 *     several in one mapping:    used = begin - SP,          size not known
 *
 *     mapping  |--- stack A ------|--- stack B ------|--- stack C ------|
 *                     SP   begin         SP   begin         SP   begin
 *
 * begin: SP in the frame in which the thread began. Stacks share a mapping in a pool
 * (pthread_attr_setstack), without guard pages, or as arrays in another thread's frame.
 */
#ifndef THREADS_STACKS_H
#define THREADS_STACKS_H

#include <stdint.h>

#include "base/status.h"
#include "threads/history.h"

/*
 * The most bytes between the SP of a thread's first frame and the end of a mapping that is its
 * stack alone: the thread's control block and the static TLS of all modules take some KiB. A
 * mapping that goes on for longer counts as shared by several stacks. First threads of processes
 * have no such limit.
 */
#define STACKS_ABOVE_BEGIN_MAX (UINT64_C(64) << 10)

struct stack_size {
    uint64_t used; /* bytes in use at the deepest sample; 0: not known */
    /* size of the stack, in bytes; 0: not known, as where stacks share a mapping */
    uint64_t mapped;
};

/*
 * Sets *out to an array by thread of the history, which the caller frees. Fails with NO_MEMORY
 * only.
 */
MUST_CHECK enum status stacks_measure(const struct history *history, struct stack_size **out);

#endif
