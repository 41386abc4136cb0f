/* SPDX-License-Identifier: MIT */
/*
 * Answers the backend's events: stops and ends of threads. Takes samples in the stop, for record.c
 * to write later. Never writes to the snapshot.
 */
#ifndef CAPTURE_STOPS_H
#define CAPTURE_STOPS_H

#include "capture/session.h"

/*
 * Answers the events that there are, without waiting. False: there were none. A target that stops
 * without end is left after some 1000 events; cap->more_events is set then.
 */
bool stops_drain(struct capture *cap);

/*
 * Asks the thread to stop, for its sample (a whole target is interrupted once, by sampler_round).
 * `cap->asked` counts it until it stops.
 */
void stops_ask(struct capture *cap, struct thread *thread);

/* Counts the thread's due sample, and the rounds it stands for, as lost; record.c writes that. */
void stops_lose(struct capture *cap, const struct thread *thread, enum snap_loss reason);

/*
 * Attaches to a left thread again: returns the backend's status. NOT_FOUND: it has ended, which is
 * noted here; else, if it fails, the thread is still left.
 */
enum status stops_reattach(struct capture *cap, struct thread *thread);

/* For a thread that has not stopped for long: notes its end if the backend says that it is gone. */
void stops_check(struct capture *cap, struct thread *thread);

/*
 * Holds a stopped thread until stops_release. It stopped at `since_ns` or later, and was seen to
 * have at `seen_ns`; `by_signal`: with a signal.
 */
void stops_hold(struct thread *thread, bool by_signal, uint64_t since_ns, uint64_t seen_ns);

/* Takes the samples of all held threads, and lets these go on. */
void stops_release(struct capture *cap);

#endif
