/* SPDX-License-Identifier: MIT */
/* Attaches to more processes: those asked for, descendants, those of a cgroup. */
#ifndef CAPTURE_PTRACE_FAMILY_H
#define CAPTURE_PTRACE_FAMILY_H

#include "base/diag.h"
#include "base/status.h"
#include "capture/ptrace/tracees.h"

struct process_family; /* which processes were refused */

/* The backend's check, for processes that were asked for by number, and for the cgroup. */
MUST_CHECK enum status family_check(const struct capture_options *options, struct diag *diag);

/*
 * Attaches to all of them. Fails if one that was asked for by number cannot be attached to, or no
 * process is found. If there was no first process, the first one found decides the machine.
 */
MUST_CHECK enum status family_attach(struct ptrace_state *st, struct target_machine *machine,
                                     struct diag *diag);
void family_destroy(struct process_family *family);

/* backend.h */
size_t family_find_more(void *state, struct diag *refusal);

#endif
