/* SPDX-License-Identifier: MIT */
/*
 * Answers the backend's events: stops of threads, and their ends. Samples are taken here, in the
 * stop, and written later. Never writes to the snapshot.
 */
#ifndef CAPTURE_STOPS_H
#define CAPTURE_STOPS_H

#include "capture/session.h"

/* Answers all that has happened; does not wait. False: nothing had. */
bool stops_drain(struct capture *cap);

/* Asks the thread to stop. `cap->asked` counts until it has. */
void stops_ask(struct capture *cap, struct thread *thread);

/* A sample that was due is not taken; record.c writes that down. */
void stops_lose(struct capture *cap, const struct thread *thread, enum snap_loss reason);

/* Gets hold of a thread that was left, as backend.h has it; if that fails it is still left. */
enum status stops_reattach(struct capture *cap, struct thread *thread);

/* The thread has not stopped for long: it may be gone without an event. Then it has ended. */
void stops_check(struct capture *cap, struct thread *thread);

/*
 * A thread that has stopped, not before `since_ns`, and is to be sampled by stops_release. That was
 * seen at `seen_ns`.
 */
void stops_hold(struct thread *thread, bool by_signal, uint64_t since_ns, uint64_t seen_ns);

/* Takes the samples of the threads that are held, and lets them all go on. */
void stops_release(struct capture *cap);

#endif
