/* SPDX-License-Identifier: MIT */
/*
 * PTRACE_SEIZE, and what it can wait for. A thread that calls exec keeps all others of the machine
 * from attaching to it until the rest of its process is gone; a thread that is traced is gone when
 * its tracer has waited for it (fs/exec.c, de_thread and cred_guard_mutex). A tracer that attaches
 * to that thread at that moment, and traces others of its process already, would stand still with
 * it for ever. So a signal ends the call time and again, and what tracees have to tell is taken.
 */
#ifndef CAPTURE_PTRACE_SEIZE_H
#define CAPTURE_PTRACE_SEIZE_H

#include <stdbool.h>
#include <sys/types.h>

#include "capture/ptrace/tracees.h"

/*
 * 0, or errno as ptrace(2) has it. Not `patient`: ETIMEDOUT where it would have to wait for more
 * than some milliseconds, as long as another thread of its process is in exec.
 */
int seize_thread(struct ptrace_state *st, pid_t tid, bool patient);

/* waitpid(-1, status, WNOHANG | __WALL); what was taken meanwhile comes first. */
pid_t seize_next(struct ptrace_state *st, int *status);

/* What seize_next says of a thread that seize_add_end was given. */
#define SEIZE_STATUS_REPLACED (-1)

/* Has the end of a thread told that an exec has replaced: the kernel does not tell it. */
void seize_add_end(struct ptrace_state *st, pid_t tid);

#endif
