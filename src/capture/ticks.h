/* SPDX-License-Identifier: MIT */
/*
 * Ticks of the CPUs' clocks, where the backend has them (backend.h): each tells the thread and the
 * code that a CPU ran, so that no CPU time has to be guessed. Rounds go on beside ticks, for wall
 * time and for waiting threads. docs/decisions/0025-clocks-of-cpus.md. Internal to capture/.
 */
#ifndef CAPTURE_TICKS_H
#define CAPTURE_TICKS_H

#include <stdbool.h>

#include "base/status.h"
#include "capture/session.h"

/*
 * Starts the clock, halted, unless options.clock is CAPTURE_CLOCK_PTRACE, or AUTO for one round or
 * a Go program; sets cap->clock. UNSUPPORTED, also as the session's failure: there is no clock,
 * and options.clock is CAPTURE_CLOCK_PERF.
 */
MUST_CHECK enum status ticks_start(struct capture *cap);

/* Lets the clock run, or halts it, if there is one. */
void ticks_run(struct capture *cap, bool run);

/* Ends the clock, if there is one. */
void ticks_stop(struct capture *cap);

/*
 * Keeps the clock's period within an eighth of the rounds' period; to be called when a round
 * begins. Draws it anew when the rounds' period has changed, and every 16 rounds, if the clock has
 * ticked, so that it does not keep in step with a program's own timer.
 */
void ticks_keep_pace(struct capture *cap);

/*
 * Appends the target's ticks that there are to cap->pending, as far as the arena has room; adds
 * lost ticks to cap->losses (SNAP_LOSS_TICK).
 */
void ticks_take(struct capture *cap);

#endif
