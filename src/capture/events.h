/* SPDX-License-Identifier: MIT */
/*
 * Waits for the backend's events and for signals, and answers events: stops.c decides what becomes
 * of a thread that has stopped, and this does it. Never writes to the snapshot. Internal to
 * capture/.
 */
#ifndef CAPTURE_EVENTS_H
#define CAPTURE_EVENTS_H

#include "capture/session.h"

/*
 * Answers the events that there are, without waiting. False: there were none. Returns after some
 * 1000 events, for a target that stops without end, and sets cap->more_events then; else clears it.
 */
bool events_drain(struct capture *cap);

/*
 * Waits until `until_ns` (CLOCK_MONOTONIC) for an event or one of `signals`, which are blocked.
 * Answers events, and counts the signal in cap->signals; SIGTSTP sets cap->suspend instead, unless
 * SIGCONT has come since; SIGIO does nothing.
 */
void events_wait(struct capture *cap, const sigset_t *signals, uint64_t until_ns);
/* Waits for events only, as events_wait; signals stay pending. */
void events_wait_only(struct capture *cap, uint64_t until_ns);

#endif
