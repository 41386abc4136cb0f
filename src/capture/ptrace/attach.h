/* SPDX-License-Identifier: MIT */
/* Attaches to running processes, and starts a command for capture from its first instruction. */
#ifndef CAPTURE_PTRACE_ATTACH_H
#define CAPTURE_PTRACE_ATTACH_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/diag.h"
#include "base/status.h"
#include "capture/ptrace/tracees.h"

/*
 * Attach to one process, as parts of family_attach: attach_first to the first, whose program
 * decides `machine`; attach_more to a further one, without waiting for a thread in exec, as others
 * are stopped meanwhile. `diag` says why not. NOT_FOUND: there is nothing to attach to (no process,
 * a zombie ...); IO: refused; UNSUPPORTED: its program cannot be captured; NO_MEMORY; BUSY
 * (attach_more): it is in exec, and some of its threads may be attached.
 */
MUST_CHECK enum status attach_first(struct ptrace_state *st, pid_t pid,
                                    struct target_machine *machine, struct diag *diag);
MUST_CHECK enum status attach_more(struct ptrace_state *st, pid_t pid, struct diag *diag);

/* Implements the backend's attach_again (capture/target/backend.h). */
MUST_CHECK enum status attach_again(void *state, pid_t pid, uint64_t before_ns, struct diag *diag);

/*
 * Attaches to the thread `tid` of `process` by PTRACE_SEIZE. Returns 0 or an errno:
 *
 *   ESRCH       the thread has ended or is ending
 *   EPERM       refused
 *   EALREADY    already traced by us, attached with the thread that made it
 *   ETIMEDOUT   another thread of the process is in exec; only if not `patient`
 *
 * The kernel refuses a thread that is ending with EPERM, and only a moment later tells that it is
 * ending: if `patient`, EPERM is tried again, up to 20 times, a millisecond apart.
 */
MUST_CHECK int attach_try(struct ptrace_state *st, const struct target_process *process, pid_t tid,
                          bool patient);

/*
 * Detaches the thread `tid`, which was attached by mistake, as its number had passed to another
 * process. Asks the thread to stop, and waits up to 20 ms; if it stops later, tracing_next detaches
 * it.
 */
void attach_let_go(struct ptrace_state *st, pid_t tid);

/*
 * Starts the command of st->options and attaches to it; it is stopped at its exec. Fills `machine`;
 * on failure `diag`.
 */
MUST_CHECK enum status attach_command(struct ptrace_state *st, struct target_machine *machine,
                                      struct diag *diag);

#endif
