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

/* Returns the PTRACE_O_... options for PTRACE_SEIZE. */
long seize_options(const struct capture_options *options);

/*
 * Attaches to the thread `tid` by PTRACE_SEIZE. Returns 0 or ptrace(2)'s errno; unless `patient`,
 * ETIMEDOUT after 2 ms in which a thread of the same process is in exec.
 */
int seize_thread(struct ptrace_state *st, pid_t tid, bool patient);

/*
 * Returns the next report of a tracee as waitpid(-1, status, WNOHANG | __WALL) does: first the
 * reports that seize_thread took, and those of seize_add_end.
 */
pid_t seize_next(struct ptrace_state *st, int *status);

/* The *status of seize_next for a thread that was given to seize_add_end. */
#define SEIZE_STATUS_REPLACED (-1)

/*
 * Makes seize_next report the end of the thread `tid`, which an exec has replaced, as the kernel
 * does not report it.
 */
void seize_add_end(struct ptrace_state *st, pid_t tid);

#endif
