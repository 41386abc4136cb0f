/* SPDX-License-Identifier: MIT */
/*
 * What waitpid(2) reports of the tracees, as events: each kind of ptrace stop, and their ends; and
 * the requests that make them stop and go on.
 */
#ifndef CAPTURE_PTRACE_TRACING_H
#define CAPTURE_PTRACE_TRACING_H

#include "capture/ptrace/tracees.h"

/* For PTRACE_SEIZE. */
long tracing_options(const struct capture_options *options);

/*
 * These are the backend's functions of these names (backend.h); `state` is a struct ptrace_state.
 */
bool tracing_next(void *state, struct backend_event *event);
enum status tracing_interrupt(void *state, struct target_thread *thread);
bool tracing_is_gone(void *state, const struct target_thread *thread);
void tracing_resume(void *state, struct target_thread *thread);
enum status tracing_detach(void *state, struct target_thread *thread);
pid_t tracing_find_made(void *state, pid_t tid);

#endif
