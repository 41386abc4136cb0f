/* SPDX-License-Identifier: MIT */
/*
 * Finds out what blocked threads wait for: from the system call that a thread is in, from the
 * memory of locks, and from lists of descriptors. Writes WAIT records; none for backends without
 * BACKEND_STATES.
 *
 * Memory is read when the thread has been let go already; only with --together, so that locks and
 * the threads that hold them are of one time, it is read in the stop. A lock's holder changes while
 * others sleep: locks of threads whose samples are repeated are read again, many in one system
 * call, in at most a hundredth of the time; locks of threads that have slept for a second or more
 * twice a second.
 */
#ifndef CAPTURE_WAITS_H
#define CAPTURE_WAITS_H

#include "capture/session.h"

/*
 * Reads the memory of the lock or list that the sample's thread waits for into sample->memory, if
 * the arena has room.
 */
void waits_hold(struct capture *cap, struct pending_sample *sample);

/*
 * Writes the WAIT records of a sample, to be called before its SAMPLE record is written; sets
 * thread->lock.
 */
void waits_record(struct capture *cap, const struct pending_sample *sample);

/*
 * Reads the locks of the process's threads whose samples are to be repeated (thread->quiet), and
 * writes WAIT records of those that have changed, and twice a second an UNCHANGED record with the
 * threads whose locks have not.
 */
void waits_refresh(struct capture *cap, struct process *process);

/* Sets thread->wait_count to 0, as the thread's sample, or a repeat of it, was written. */
void waits_settled(struct thread *thread);

#endif
