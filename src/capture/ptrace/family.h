/* SPDX-License-Identifier: MIT */
/* Attaches to all processes: those the user asked for, descendants, those of a cgroup. */
#ifndef CAPTURE_PTRACE_FAMILY_H
#define CAPTURE_PTRACE_FAMILY_H

#include "base/diag.h"
#include "base/status.h"
#include "capture/ptrace/tracees.h"

struct process_family; /* the list of processes that could not be attached to */

/*
 * Does the backend's `check` for the cgroup and the further processes that the user asked for by
 * number. NOT_FOUND, UNSUPPORTED, IO: attaching would fail for certain; `diag` says why.
 */
MUST_CHECK enum status family_check(const struct capture_options *options, struct diag *diag);

/*
 * Attaches to all processes and threads that the user asked for (st->options): by number,
 * descendants, those of the cgroup. Fails, with `diag` filled, if one that the user asked for by
 * number cannot be attached to (errors of attach_first), or if there is none at all. The first one
 * found decides the machine, and `machine` is filled.
 */
MUST_CHECK enum status family_attach(struct ptrace_state *st, struct target_machine *machine,
                                     struct diag *diag);
void family_destroy(struct process_family *family);

/*
 * Implements the backend's find_more: returns how many processes could not be attached to so far.
 */
size_t family_find_more(void *state, struct diag *refusal);

#endif
