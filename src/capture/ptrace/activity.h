/* SPDX-License-Identifier: MIT */
/*
 * What a thread does, and whether it has run since its last sample, from /proc, without stopping
 * it. All are functions of the backend (backend.h); `state` is a struct ptrace_state.
 */
#ifndef CAPTURE_PTRACE_ACTIVITY_H
#define CAPTURE_PTRACE_ACTIVITY_H

#include "capture/ptrace/tracees.h"

/* Does this kernel count what a thread has of CPUs, and how long it waits for them? */
bool activity_has_schedstat(void);

/* One system call, with schedstat. */
bool activity_usage(void *state, struct target_thread *thread, struct proc_schedstat *out);
bool activity_usage_stopped(void *state, struct target_thread *thread, struct proc_schedstat *out);
int activity_last_cpu(void *state, const struct target_thread *thread);
uint64_t activity_process_usage(void *state, const struct target_process *process);
bool activity_has_run(void *state, struct target_thread *thread, const struct proc_schedstat *now,
                      const struct activity *last);

/*
 * False when it has ended: a first thread that called pthread_exit stays as a zombie, which nothing
 * reports until the others have ended.
 */
bool activity_read(void *state, struct target_thread *thread, struct activity *out);
/* These need the registers that were read last. */
void activity_settle(void *state, struct target_thread *thread, const uint64_t *values,
                     struct activity *activity);
bool activity_is_in_call(void *state, const struct target_thread *thread,
                         const struct activity *activity, const uint64_t *values);

#endif
