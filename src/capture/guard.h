/* SPDX-License-Identifier: MIT */
/*
 * A process that watches cgsnap. A tracer that is stopped itself, by SIGSTOP or a debugger, answers
 * no stops: each thread of the target that takes a signal or makes a thread stands still until the
 * tracer goes on. The guard notices within some 60 ms that cgsnap is stopped (within a second, if a
 * debugger of cgsnap is runnable and may be about to continue it), continues cgsnap and sends it
 * SIGINT to end in order, and sends SIGKILL if cgsnap is still stopped then. The kernel then lets
 * the target go; only a signal that cgsnap was about to pass on is lost.
 *
 * A cgroup's freezer freezes the guard with cgsnap: the guard cannot help there.
 */
#ifndef CAPTURE_GUARD_H
#define CAPTURE_GUARD_H

#include <stdbool.h>

#include "base/status.h"

struct guard;

/*
 * Forks the guard of the calling process, which must have one thread; the caller calls
 * guard_destroy. NO_MEMORY; IO: fork failed.
 */
MUST_CHECK enum status guard_start(struct guard **out);

/* True: from now on the guard does nothing if cgsnap is stopped, as cgsnap holds no thread. */
void guard_park(struct guard *guard, bool parked);

/* Kills the guard and frees it; NULL: does nothing. The guard also dies with cgsnap. */
void guard_destroy(struct guard *guard);

#endif
