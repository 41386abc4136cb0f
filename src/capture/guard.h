/* SPDX-License-Identifier: MIT */
/*
 * A process that looks after us. A tracer that is stopped itself, by SIGSTOP or a debugger, answers
 * no stops: each thread of the target that takes a signal or makes a thread stands still until it
 * goes on. The guard sees it within some 60 ms, has us go on and end in order, and kills us if we
 * do not; the kernel then lets the target go, but for a signal that we were about to pass on.
 *
 * It is frozen together with us by a cgroup's freezer, and can do nothing about that.
 */
#ifndef CAPTURE_GUARD_H
#define CAPTURE_GUARD_H

#include <stdbool.h>

#include "base/status.h"

struct guard;

/* Of the calling process, whose only thread calls this. NO_MEMORY; IO: no process can be made. */
MUST_CHECK enum status guard_start(struct guard **out);

/* Parked: we may be stopped, as nothing is held. */
void guard_park(struct guard *guard, bool parked);

/* Ends it; it ends by itself when we do. */
void guard_destroy(struct guard *guard);

#endif
