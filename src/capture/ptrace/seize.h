/* SPDX-License-Identifier: MIT */
/*
 * PTRACE_SEIZE that does not deadlock. A thread that calls exec keeps all others of the machine
 * from attaching to it until the rest of its process is gone; a traced thread is gone when its
 * tracer has waited for it (fs/exec.c, de_thread and cred_guard_mutex). A tracer that attaches to
 * the calling thread then, and traces others of its process, would wait for ever. So a timer's
 * signal interrupts the call every 2 ms, and the tracees' reports are taken in between.
 */
#ifndef CAPTURE_PTRACE_SEIZE_H
#define CAPTURE_PTRACE_SEIZE_H

#include <stdbool.h>
#include <sys/types.h>

#include "capture/ptrace/tracees.h"

/* Returns 0 or ptrace(2)'s errno; if not `patient`, ETIMEDOUT after 2 ms of another's exec. */
int seize_thread(struct ptrace_state *st, pid_t tid, bool patient);

/* waitpid(-1, status, WNOHANG | __WALL); reports that seize_thread took come first. */
pid_t seize_next(struct ptrace_state *st, int *status);

/* Status from seize_next for a thread given to seize_add_end. */
#define SEIZE_STATUS_REPLACED (-1)

/* Has seize_next report a thread that an exec has replaced, which the kernel does not report. */
void seize_add_end(struct ptrace_state *st, pid_t tid);

#endif
