/* SPDX-License-Identifier: MIT */
/* Says why a process cannot be captured: which of the many reasons it is, and what to do. */
#ifndef CAPTURE_PTRACE_REFUSAL_H
#define CAPTURE_PTRACE_REFUSAL_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/diag.h"
#include "base/status.h"

/*
 * Is there no use in trying (no such process, cgsnap itself, a thread's number, a zombie, a kernel
 * thread)? Fills `diag` and *status: NOT_FOUND or UNSUPPORTED.
 */
bool refusal_obvious(pid_t pid, struct diag *diag, enum status *status);

/* IO if PTRACE_SEIZE would be refused for certain, with `diag` as of refusal_explain; else OK. */
MUST_CHECK enum status refusal_certain(pid_t pid, struct diag *diag);

/* For EPERM from PTRACE_SEIZE: fills `diag` and returns IO; or as refusal_obvious. */
MUST_CHECK enum status refusal_explain(pid_t pid, struct diag *diag);

/* For other errors in attaching to `whom` ("process 7"): fills `diag` and returns IO. */
MUST_CHECK enum status refusal_failed(const char *whom, int error, struct diag *diag);

#endif
