/* SPDX-License-Identifier: MIT */
/*
 * What blocked threads wait for: finds it out from the system call of Linux that a thread is in,
 * reads the memory of locks and of lists of descriptors, and writes WAIT records. Where the backend
 * tells of no system call (BACKEND_STATES) there are none.
 *
 * With a sample this is done when the thread has been let go already; only --together, which wants
 * the locks and the threads that hold them as they are at one time, reads memory in the stop. The
 * holder of a lock changes while another sleeps: for the threads whose samples are repeated locks
 * are read again, in one system call for many of them, at most a hundredth of the time; those of
 * threads that have slept for long twice a second.
 */
#ifndef CAPTURE_WAITS_H
#define CAPTURE_WAITS_H

#include "capture/session.h"

/* Reads the memory that the thread of a sample waits for, to the arena, as far as there is room. */
void waits_hold(struct capture *cap, struct pending_sample *sample);

/* Writes what holds with a sample, which is written next. */
void waits_record(struct capture *cap, const struct pending_sample *sample);

/*
 * Writes what has changed for the threads of the process whose samples are to be repeated, and
 * twice a second of which of them it has not.
 */
void waits_refresh(struct capture *cap, struct process *process);

/* The thread's sample, or a repeat of it, was written. */
void waits_settled(struct thread *thread);

#endif
