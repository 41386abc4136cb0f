/* SPDX-License-Identifier: MIT */
/*
 * Runs independent tasks on several threads of this process.
 *
 * The threads live as long as one call: between calls the program has no additional threads, so
 * that it may fork.
 */
#ifndef BASE_WORKERS_H
#define BASE_WORKERS_H

#include <stddef.h>

#include "base/status.h"

#define WORKERS_MAX 64 /* threads at a time, the caller's included */

/* Returns the number of cores that this process may run on; at least 1. */
unsigned workers_available(void);

/*
 * Calls task(context, i) once for each i below `count`, on at most `jobs` threads including the
 * caller's; fewer where the system gives no more. Tasks begin in the order of i. Data that a task
 * writes may not be touched by other tasks. Returns after all begun tasks have ended. After a task
 * failed no more begin; the status of the failed task with the lowest i is returned.
 */
MUST_CHECK enum status workers_run(unsigned jobs, size_t count,
                                   enum status (*task)(void *context, size_t i), void *context);

#endif
