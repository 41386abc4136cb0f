/*
 * Copies registers and stack of a thread in its stop, to be written as a record later.
 */
#ifndef CAPTURE_PENDING_SAMPLE_H
#define CAPTURE_PENDING_SAMPLE_H

#include "capture/session.h"

/*
 * The sample that is due. `regset` gets the registers. NOT_FOUND: the thread was killed meanwhile.
 * FAULT, NO_MEMORY, UNSUPPORTED: the sample is lost.
 */
MUST_CHECK enum status pending_sample_take_sample(struct capture *cap, struct thread *thread,
                                                  bool disturbed, struct regset *regset);

/*
 * The sample was taken while all threads are stopped, since `time_ns`: its time is that, and what
 * the thread waits for is read now, unless it may have been woken from that.
 */
void pending_sample_hold(struct capture *cap, struct pending_sample *sample,
                         const struct regset *regset, uint64_t time_ns);

/*
 * The thread is coming out of the system call that made a thread or process: how it came to make
 * it. Returns the number of the new one, or 0 where that is not to be known. When there is little
 * room left the number is all there is: samples go first.
 */
pid_t pending_sample_take_creation(struct capture *cap, struct thread *thread);

/* A file holds samples of one architecture. */
void pending_sample_fail_other_program(struct capture *cap, const struct process *process);

#endif
