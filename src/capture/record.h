/* SPDX-License-Identifier: MIT */
/*
 * Writes records in an order that FORMAT.md allows: a process before its threads, mappings before
 * the samples whose code lies in them, a thread's end after its samples.
 *
 * The writer keeps the first write error; the main loop finds it and ends the capture.
 */
#ifndef CAPTURE_RECORD_H
#define CAPTURE_RECORD_H

#include <stdint.h>

#include "capture/session.h"

/*
 * Writes records of new processes and threads, of the ticks there are, of all of cap->pending, of
 * losses and of ended threads, in this order. Empties cap->pending and cap->arena.
 */
void record_pending(struct capture *cap);

/* Writes a REPEAT record: the thread's last SAMPLE stands for `time_ns`, too. */
void record_repeat(struct capture *cap, const struct thread *thread, uint64_t time_ns);
/*
 * Write one IDLE record in three steps: record_idle, exactly `exceptions` times
 * record_idle_exception, record_idle_end. `repeated`: number of threads whose last samples the
 * record repeats.
 */
void record_idle(struct capture *cap, const struct process *process, uint64_t time_ns,
                 uint32_t exceptions);
void record_idle_exception(struct capture *cap, const struct thread *thread);
void record_idle_end(struct capture *cap, size_t repeated);
/*
 * Writes a LOSS record of `count` samples of thread `tid` (0: of several threads) and adds `count`
 * to cap->result.lost.
 */
void record_loss(struct capture *cap, pid_t pid, pid_t tid, uint32_t count, enum snap_loss reason);
/*
 * Reads the name of a thread that was found during the capture, or of a command's thread, again, at
 * growing intervals until about a second after it was found, and writes a THREAD record if the name
 * has changed: threads often get their names late. Does nothing for other threads.
 */
void record_new_name(struct capture *cap, struct thread *thread, uint64_t now);
/* Writes a THREAD record for each live thread whose name has changed, at the capture's end. */
void record_last_names(struct capture *cap);
/* Writes the SUMMARY record from cap->result. */
void record_summary(struct capture *cap);

#endif
