/* SPDX-License-Identifier: MIT */
/*
 * Ticks of the CPUs' clocks, where the backend has them (backend.h): each says what a CPU ran, so
 * that CPU time has its place without a guess at who had a CPU. Rounds go on beside them, for wall
 * time and for where threads wait. docs/decisions/0025-clocks-of-cpus.md. Internal to capture/.
 */
#ifndef CAPTURE_TICKS_H
#define CAPTURE_TICKS_H

#include <stdbool.h>

#include "base/status.h"
#include "capture/session.h"

/*
 * Starts the clock, halted, if options->clock and the target want one (AUTO: not for one round or a
 * Go program). UNSUPPORTED, as the session's failure: CAPTURE_CLOCK_PERF, and there is none.
 */
MUST_CHECK enum status ticks_start(struct capture *cap);

/* Runs or halts the clock; sets cap->ticking. */
void ticks_run(struct capture *cap, bool run);

/* Ends the clock, if there is one. */
void ticks_stop(struct capture *cap);

/*
 * To be called when a round begins. Keeps the clock's period within an eighth of the rounds', and
 * draws it anew every 16 rounds, if it has ticked, so that it does not keep in step with a
 * program's own timer.
 */
void ticks_keep_pace(struct capture *cap);

/* Adds the target's ticks to cap->pending, as far as the arena has room; counts lost ones. */
void ticks_take(struct capture *cap);

#endif
