/* SPDX-License-Identifier: MIT */
/*
 * Answers the backend's events: stops and ends of threads. Takes samples in stops, for record.c to
 * write later. Never writes to the snapshot.
 */
#ifndef CAPTURE_STOPS_H
#define CAPTURE_STOPS_H

#include "capture/session.h"

/*
 * Answers the events that there are, without waiting. False: there were none. Returns after some
 * 1000 events, for a target that stops without end, and sets cap->more_events then; else clears it.
 */
bool stops_drain(struct capture *cap);

/*
 * Asks the thread to stop for a sample, and counts it in cap->asked until it stops. (Where the
 * whole target stops, only counts it: sampler_round asks the target once.)
 */
void stops_ask(struct capture *cap, struct thread *thread);

/* Adds the thread's due sample, and the rounds it stands for, to cap->losses, for LOSS records. */
void stops_lose(struct capture *cap, const struct thread *thread, enum snap_loss reason);

/*
 * Attaches to a left thread again, and returns the status of the backend's reattach. NOT_FOUND: the
 * thread has ended, and is marked so (thread_ended). After another failure it is still left.
 */
enum status stops_reattach(struct capture *cap, struct thread *thread);

/* Marks a thread that has not stopped for long as ended, if the backend says that it is gone. */
void stops_check(struct capture *cap, struct thread *thread);

/*
 * Marks a stopped thread as held, until stops_release. It stopped at `since_ns` or later, and its
 * stop was seen at `seen_ns`; `by_signal`: the stop came with a signal.
 */
void stops_hold(struct thread *thread, bool by_signal, uint64_t since_ns, uint64_t seen_ns);

/* Takes samples of all held threads, and lets them go on. */
void stops_release(struct capture *cap);

#endif
