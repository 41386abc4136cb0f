/* SPDX-License-Identifier: MIT */
/*
 * The CPUs' clocks, where the backend has them (backend.h): each tick says what a CPU ran, so that
 * CPU time has its place without a guess at who had a CPU. Rounds go on beside them: they tell
 * where threads wait, and wall time. docs/decisions/0025-clocks-of-cpus.md. Internal to capture/.
 */
#ifndef CAPTURE_TICKS_H
#define CAPTURE_TICKS_H

#include <stdbool.h>

#include "base/status.h"
#include "capture/session.h"

/*
 * Starts the clock, which stands still, if options->clock wants one. A failure of the session's
 * where it must be there and is not.
 */
MUST_CHECK enum status ticks_start(struct capture *cap);

/* Lets it run, or stand still: cap->ticking. */
void ticks_run(struct capture *cap, bool run);

/* There is no clock any more. */
void ticks_stop(struct capture *cap);

/*
 * A round begins. Ticks are as far apart as rounds, and now and then a little less or more: a timer
 * of one period, and a program that has one as well, would show one another's steps.
 */
void ticks_keep_pace(struct capture *cap);

/* What has ticked in the target's threads becomes pending, to be recorded. */
void ticks_take(struct capture *cap);

#endif
