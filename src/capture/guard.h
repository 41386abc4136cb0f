/* SPDX-License-Identifier: MIT */
/*
 * A process that watches cgsnap. A tracer that is stopped itself, by SIGSTOP or a debugger, answers
 * no stops: each thread of the target that takes a signal or makes a thread stands still until the
 * tracer goes on. The guard notices it within some 60 ms (a second, if a ready tracer of cgsnap's
 * may be about to continue it), continues cgsnap and sends it SIGINT to end in order, and sends
 * SIGKILL if it is still stopped then. The kernel then lets the target go, except for a signal that
 * cgsnap was about to pass on.
 *
 * A cgroup's freezer freezes the guard with cgsnap: the guard cannot help there.
 */
#ifndef CAPTURE_GUARD_H
#define CAPTURE_GUARD_H

#include <stdbool.h>

#include "base/status.h"

struct guard;

/* Forks the guard of the calling process, which has one thread. NO_MEMORY; IO: fork failed. */
MUST_CHECK enum status guard_start(struct guard **out);

/* `parked`: the guard ignores stops, as cgsnap holds no thread. */
void guard_park(struct guard *guard, bool parked);

/* Kills the guard and frees it; NULL: does nothing. The guard also dies with cgsnap. */
void guard_destroy(struct guard *guard);

#endif
