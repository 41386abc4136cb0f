/* SPDX-License-Identifier: MIT */
/*
 * Turns waitpid(2)'s reports of the tracees (each kind of ptrace stop, and ends) into the backend's
 * events. Makes the ptrace requests that stop threads and let them go on.
 */
#ifndef CAPTURE_PTRACE_TRACING_H
#define CAPTURE_PTRACE_TRACING_H

#include "capture/ptrace/tracees.h"

/*
 * Implement the backend's functions of these names without tracing_ (capture/target/backend.h);
 * `state` is a struct ptrace_state.
 */
bool tracing_next(void *state, struct backend_event *event);
enum status tracing_interrupt(void *state, struct target_thread *thread);
void tracing_resume(void *state, struct target_thread *thread);
enum status tracing_detach(void *state, struct target_thread *thread);
pid_t tracing_find_made(void *state, pid_t tid);

#endif
