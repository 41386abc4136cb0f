/* SPDX-License-Identifier: MIT */
/*
 * Finds out what blocked threads wait for: from the system call that a thread is in, from the
 * memory of locks, and from lists of descriptors. Writes WAIT records; none for backends without
 * BACKEND_STATES.
 *
 * Memory is read when the thread has been let go already; only --together, which wants locks and
 * the threads that hold them as of one time, reads it in the stop. A lock's holder changes while
 * others sleep: for threads whose samples are repeated locks are read again, many in one system
 * call, in at most a hundredth of the time; locks of threads that have slept for a second or more
 * twice a second.
 */
#ifndef CAPTURE_WAITS_H
#define CAPTURE_WAITS_H

#include "capture/session.h"

/* Reads the memory that the sample's thread waits for, if the arena has room for it. */
void waits_hold(struct capture *cap, struct pending_sample *sample);

/* Writes the WAIT records of a sample, ahead of its SAMPLE; notes the lock in its thread. */
void waits_record(struct capture *cap, const struct pending_sample *sample);

/*
 * For the threads of the process whose samples are to be repeated: writes the locks that have
 * changed, and twice a second an UNCHANGED with the threads whose locks have not.
 */
void waits_refresh(struct capture *cap, struct process *process);

/* The thread's sample, or a repeat, was written: counts its WAIT records from 0 again. */
void waits_settled(struct thread *thread);

#endif
