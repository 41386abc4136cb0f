/* SPDX-License-Identifier: MIT */
/*
 * Tasks that do not depend on each other, done by several threads of this process.
 *
 * Threads live as long as one call: before it and after it the program has no more of them than it
 * had, so that it may fork.
 */
#ifndef BASE_WORKERS_H
#define BASE_WORKERS_H

#include <stddef.h>

#include "base/status.h"

#define WORKERS_MAX 64 /* threads at a time, the caller's among them */

/* The cores that this process may run on; at least 1. */
unsigned workers_available(void);

/*
 * Calls task(context, i) once for each i below `count`, on at most `jobs` threads, of which the
 * caller's is one. Tasks begin in the order of i; with one thread, or where the system gives no
 * more, they run one after the other. What a task writes no other may touch until all have
 * ended, which is when this returns. After a failure no more tasks begin; of several failures the
 * one of the lowest i is returned.
 */
MUST_CHECK enum status workers_run(unsigned jobs, size_t count,
                                   enum status (*task)(void *context, size_t i), void *context);

#endif
