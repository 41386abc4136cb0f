/* SPDX-License-Identifier: MIT */
/* Explains why a process cannot be captured, and what the user can do. */
#ifndef CAPTURE_PTRACE_REFUSAL_H
#define CAPTURE_PTRACE_REFUSAL_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/diag.h"
#include "base/status.h"

/*
 * Whether attaching to `pid` cannot succeed: no such process, or cgsnap itself, a thread's number,
 * a zombie, a kernel thread. If so, fills `diag` and sets *status to NOT_FOUND (no such process) or
 * UNSUPPORTED; else sets it to OK.
 */
bool refusal_obvious(pid_t pid, struct diag *diag, enum status *status);

/*
 * Returns OK, unless it is certain that the kernel would refuse PTRACE_SEIZE of `pid`: then the
 * result and `diag` of refusal_explain.
 */
MUST_CHECK enum status refusal_certain(pid_t pid, struct diag *diag);

/*
 * Fills `diag` with the reason why the kernel refused PTRACE_SEIZE of `pid` with EPERM, and returns
 * IO; or the status of refusal_obvious, if that is true.
 */
MUST_CHECK enum status refusal_explain(pid_t pid, struct diag *diag);

/*
 * Whether nothing that can be known explains why `pid` was refused with EPERM: so is a thread in
 * the midst of exec or exit, too, for a moment.
 */
bool refusal_may_pass(pid_t pid);

/*
 * Whether the thread is in uninterruptible sleep (state D), in which nothing stops it; if so, fills
 * `diag` with what it waits for, as far as that is known.
 */
bool refusal_asleep(pid_t pid, pid_t tid, struct diag *diag);

/* Fills `diag` for another errno in attaching to `whom` ("process 7"), and returns IO. */
MUST_CHECK enum status refusal_failed(const char *whom, int error, struct diag *diag);

#endif
