/* SPDX-License-Identifier: MIT */
/*
 * Writes records in an order that FORMAT.md allows: a process before its threads, mappings before
 * the samples that lie in them, a thread's end after its samples.
 *
 * The writer keeps the first write error; the main loop finds it and ends the capture.
 */
#ifndef CAPTURE_RECORD_H
#define CAPTURE_RECORD_H

#include <stdint.h>

#include "capture/session.h"

/*
 * Writes new processes and threads, takes ticks, writes and empties cap->pending and its arena,
 * then writes losses and ended threads.
 */
void record_pending(struct capture *cap);

void record_repeat(struct capture *cap, const struct thread *thread, uint64_t time_ns);
/*
 * Write one IDLE record in three steps: record_idle, exactly `exceptions` times
 * record_idle_exception, record_idle_end. `repeated`: threads whose samples it repeats.
 */
void record_idle(struct capture *cap, const struct process *process, uint64_t time_ns,
                 uint32_t exceptions);
void record_idle_exception(struct capture *cap, const struct thread *thread);
void record_idle_end(struct capture *cap, size_t repeated);
/* Writes LOSS and adds `count` to the result's. `tid` 0: of several threads. */
void record_loss(struct capture *cap, pid_t pid, pid_t tid, uint32_t count, enum snap_loss reason);
/*
 * For a thread found during the capture, or a command's: reads its name again, at growing intervals
 * until it is about a second old, and writes THREAD if it has changed. Makers name threads late,
 * and sleeping threads are not sampled.
 */
void record_new_name(struct capture *cap, struct thread *thread, uint64_t now);
/* Writes THREAD for each live thread whose name has changed; for the capture's end. */
void record_last_names(struct capture *cap);
void record_summary(struct capture *cap);

#endif
