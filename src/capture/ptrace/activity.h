/* SPDX-License-Identifier: MIT */
/*
 * Finds out from /proc, without stopping it, what a thread does and whether it has run since its
 * last sample. All are functions of the backend (backend.h); `state` is a struct ptrace_state.
 */
#ifndef CAPTURE_PTRACE_ACTIVITY_H
#define CAPTURE_PTRACE_ACTIVITY_H

#include "capture/ptrace/tracees.h"

/* Does this kernel count each thread's CPU time and waiting time (schedstat)? */
bool activity_has_schedstat(void);

/* With schedstat one system call each; else in clock ticks, by stat and status. */
bool activity_usage(void *state, struct target_thread *thread, struct proc_schedstat *out);
bool activity_usage_stopped(void *state, struct target_thread *thread, struct proc_schedstat *out);
int activity_last_cpu(void *state, const struct target_thread *thread);
uint64_t activity_process_usage(void *state, const struct target_process *process);
bool activity_has_run(void *state, struct target_thread *thread, const struct proc_schedstat *now,
                      const struct activity *last);

/*
 * False: it has ended; also for a first thread that called pthread_exit, which stays a zombie,
 * unreported, until the others have ended.
 */
bool activity_read(void *state, struct target_thread *thread, struct activity *out);
/* Both need the registers that were read last, of this thread. */
void activity_settle(void *state, struct target_thread *thread, const uint64_t *values,
                     struct activity *activity);
bool activity_is_in_call(void *state, const struct target_thread *thread,
                         const struct activity *activity, const uint64_t *values);

#endif
