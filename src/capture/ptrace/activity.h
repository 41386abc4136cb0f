/* SPDX-License-Identifier: MIT */
/*
 * Finds out from /proc, without stopping a thread, what the thread does and whether it has run
 * since its last sample. The functions with `state`, a struct ptrace_state, are those of the same
 * names of struct capture_backend (capture/target/backend.h).
 */
#ifndef CAPTURE_PTRACE_ACTIVITY_H
#define CAPTURE_PTRACE_ACTIVITY_H

#include "capture/ptrace/tracees.h"

/* Whether this kernel counts each thread's CPU time and waiting time (/proc/PID/schedstat). */
bool activity_has_schedstat(void);

/*
 * Implement the backend's members of these names. Without schedstat CPU time is in clock ticks, and
 * delay_ns stays 0.
 */
bool activity_usage(void *state, struct target_thread *thread, struct proc_schedstat *out);
bool activity_usage_stopped(void *state, struct target_thread *thread, struct proc_schedstat *out);
int activity_last_cpu(void *state, const struct target_thread *thread);
uint64_t activity_process_usage(void *state, const struct target_process *process);
bool activity_has_run(void *state, struct target_thread *thread, const struct proc_schedstat *now,
                      const struct activity *last);

/*
 * Implements the backend's `activity`: reads the thread's state and system call. False: the thread
 * has ended; also for a first thread that called pthread_exit, which stays a zombie, without an
 * event, until the others have ended.
 */
bool activity_read(void *state, struct target_thread *thread, struct activity *out);
/*
 * Implement the backend's settle_activity and is_in_call; the registers that the backend read last
 * must be those of `thread`.
 */
void activity_settle(void *state, struct target_thread *thread, const uint64_t *values,
                     struct activity *activity);
bool activity_is_in_call(void *state, const struct target_thread *thread,
                         const struct activity *activity, const uint64_t *values);

#endif
