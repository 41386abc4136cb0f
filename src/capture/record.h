/* SPDX-License-Identifier: MIT */
/*
 * Writes down what has happened, in an order that FORMAT.md allows: a process before its threads,
 * mappings before the samples that lie in them, a thread's end after its samples.
 *
 * Write errors end the capture: they are kept by the writer and found by the main loop.
 */
#ifndef CAPTURE_RECORD_H
#define CAPTURE_RECORD_H

#include <stdint.h>

#include "capture/session.h"

/* New processes and threads, samples that were taken, threads that ended. */
void record_pending(struct capture *cap);

void record_repeat(struct capture *cap, const struct thread *thread, uint64_t time_ns);
/*
 * An IDLE record in three parts: so many exceptions are to follow; `repeated` is how many threads
 * it stands for.
 */
void record_idle(struct capture *cap, const struct process *process, uint64_t time_ns,
                 uint32_t exceptions);
void record_idle_exception(struct capture *cap, const struct thread *thread);
void record_idle_end(struct capture *cap, size_t repeated);
/* `tid` 0: several threads. */
void record_loss(struct capture *cap, pid_t pid, pid_t tid, uint32_t count, enum snap_loss reason);
/*
 * What a thread that was made lately is called by now, if it has been long since it was looked:
 * whoever makes a thread names it when it sleeps already, and sleepers are not sampled.
 */
void record_new_name(struct capture *cap, struct thread *thread, uint64_t now);
/* What all are called when the capture ends. */
void record_last_names(struct capture *cap);
void record_summary(struct capture *cap);

#endif
