/* SPDX-License-Identifier: MIT */
/*
 * Why a process cannot be captured, in words: which of the many reasons it is, and what to do.
 */
#ifndef CAPTURE_PTRACE_REFUSAL_H
#define CAPTURE_PTRACE_REFUSAL_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/diag.h"
#include "base/status.h"

/* Is there no use in trying (no such process, a thread's number, a zombie, a kernel thread)? */
bool refusal_obvious(pid_t pid, struct diag *diag, enum status *status);

/*
 * Would PTRACE_SEIZE be refused, for certain? IO, with `diag` as refusal_explain's; OK: perhaps
 * not.
 */
MUST_CHECK enum status refusal_certain(pid_t pid, struct diag *diag);

/* PTRACE_SEIZE was refused, by EPERM: fills `diag` and returns NOT_FOUND or IO. */
MUST_CHECK enum status refusal_explain(pid_t pid, struct diag *diag);

/*
 * It failed otherwise, of "process 7", say, or by whatever error of a process of our own. IO, with
 * `diag` filled.
 */
MUST_CHECK enum status refusal_failed(const char *whom, int error, struct diag *diag);

#endif
