/* SPDX-License-Identifier: MIT */
/*
 * Processes besides the first one: others that were asked for, descendants, those of a cgroup.
 */
#ifndef CAPTURE_PTRACE_FAMILY_H
#define CAPTURE_PTRACE_FAMILY_H

#include "base/diag.h"
#include "base/status.h"
#include "capture/ptrace/tracees.h"

struct process_family; /* zeroed: none was looked for yet */

/* Can those that were asked for by number be attached to, and is the cgroup there? As check. */
MUST_CHECK enum status family_check(const struct capture_options *options, struct diag *diag);

/*
 * Attaches to all of them that there are; to one that was asked for by number, or none is left.
 * Where there was no first process the machine is that of the first of them.
 */
MUST_CHECK enum status family_attach(struct ptrace_state *st, struct target_machine *machine,
                                     struct diag *diag);
void family_destroy(struct process_family *family);

/* backend.h */
size_t family_find_more(void *state, struct diag *refusal);

#endif
