/* SPDX-License-Identifier: MIT */
/* Attaches to running processes, and starts a command for capture from its first instruction. */
#ifndef CAPTURE_PTRACE_ATTACH_H
#define CAPTURE_PTRACE_ATTACH_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/diag.h"
#include "base/status.h"
#include "capture/ptrace/tracees.h"

/* Attaches to all processes and threads that were asked for. Fills `machine`; on failure `diag`. */
MUST_CHECK enum status attach_process(struct ptrace_state *st, struct target_machine *machine,
                                      struct diag *diag);

/*
 * Parts of attach_process: the first process, which decides the machine, and another one, for which
 * nobody is kept waiting. NOT_FOUND: nothing to attach to (a zombie, say); BUSY (attach_more): it
 * is in exec, and some of its threads may be attached.
 */
MUST_CHECK enum status attach_first(struct ptrace_state *st, pid_t pid,
                                    struct target_machine *machine, struct diag *diag);
MUST_CHECK enum status attach_more(struct ptrace_state *st, pid_t pid, struct diag *diag);

/* The backend's attach_again and holds (backend.h). */
MUST_CHECK enum status attach_again(void *state, pid_t pid, uint64_t before_ns, struct diag *diag);
bool attach_holds(void *state, pid_t pid);

/*
 * PTRACE_SEIZE. Returns 0 or an errno:
 *
 *   ESRCH       the thread has ended or is ending
 *   EPERM       refused
 *   EALREADY    already traced by us, attached with the thread that made it
 *   ETIMEDOUT   another thread of the process is in exec; only if not `patient`
 *
 * The kernel refuses an ending thread with EPERM, and that it is ending may be seen a moment later:
 * if `patient`, EPERM is tried again, up to 20 times, a millisecond apart.
 */
MUST_CHECK int attach_try(struct ptrace_state *st, const struct target_process *process, pid_t tid,
                          bool patient);
bool attach_is_zombie(const struct target_process *process, pid_t tid);
/* Is it a kernel worker (io_uring, vhost), which runs no code of the program's? */
bool attach_is_worker(const struct target_process *process, pid_t tid);

/*
 * Detaches a thread that was attached by mistake, as another process had got its number. Asks it to
 * stop, and waits up to 20 ms; if it stops later, tracing_next detaches it.
 */
void attach_let_go(struct ptrace_state *st, pid_t tid);

/* Starts the command, attached, and stopped at its exec. Fills `machine` or `diag`. */
MUST_CHECK enum status attach_command(struct ptrace_state *st, struct target_machine *machine,
                                      struct diag *diag);

/*
 * Sets st->regs and fills `machine` for the program that `pid` runs, before it is attached to: a
 * 32-bit tracer must not touch a 64-bit process, for which an AArch64 kernel silently gives it
 * wrong registers. UNSUPPORTED: this build cannot capture it. A program that cannot be read is
 * taken to be like this one; attach_fits has the last word.
 */
MUST_CHECK enum status attach_choose(struct ptrace_state *st, pid_t pid,
                                     struct target_machine *machine, struct diag *diag);

/*
 * Once a thread is attached, and after an exec: are st->regs those of its program? If this cannot
 * be read, a 64-bit build says yes, as the size of the registers will tell; a 32-bit one no.
 */
bool attach_fits(const struct ptrace_state *st, pid_t tid);
/* attach_fits as a status. UNSUPPORTED: no, and `diag` says why. */
MUST_CHECK enum status attach_verify(const struct ptrace_state *st, pid_t tid, struct diag *diag);

#endif
