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
 * Attaches to all processes and threads that the user asked for (st->options) and fills `machine`.
 * Errors, with `diag` filled: those of attach_first and family_attach.
 */
MUST_CHECK enum status attach_process(struct ptrace_state *st, struct target_machine *machine,
                                      struct diag *diag);

/*
 * Attach to one process, as parts of attach_process: attach_first to the first, whose program
 * decides `machine`; attach_more to a further one, without waiting for a thread in exec, as others
 * are stopped meanwhile. `diag` says why not. NOT_FOUND: there is nothing to attach to (no process,
 * a zombie ...); IO: refused; UNSUPPORTED: its program cannot be captured; NO_MEMORY; BUSY
 * (attach_more): it is in exec, and some of its threads may be attached.
 */
MUST_CHECK enum status attach_first(struct ptrace_state *st, pid_t pid,
                                    struct target_machine *machine, struct diag *diag);
MUST_CHECK enum status attach_more(struct ptrace_state *st, pid_t pid, struct diag *diag);

/* Implement the backend's attach_again and holds (capture/target/backend.h). */
MUST_CHECK enum status attach_again(void *state, pid_t pid, uint64_t before_ns, struct diag *diag);
bool attach_holds(void *state, pid_t pid);

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
bool attach_is_zombie(const struct target_process *process, pid_t tid);
/* Whether the thread is a kernel worker (io_uring, vhost), which runs no code of the program. */
bool attach_is_worker(const struct target_process *process, pid_t tid);

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

/*
 * Sets st->regs and fills `machine` for the program that `pid` runs, before that is attached to: a
 * 32-bit tracer must not touch a 64-bit process, of which an AArch64 kernel silently gives wrong
 * registers. UNSUPPORTED: this build cannot capture the program. A program that cannot be read is
 * taken to be of cgsnap's own architecture; attach_fits checks that later.
 */
MUST_CHECK enum status attach_choose(struct ptrace_state *st, pid_t pid,
                                     struct target_machine *machine, struct diag *diag);

/*
 * Whether st->regs have the word size of the program of `tid`, to be called once the thread is
 * attached, and after an exec. If that cannot be read, a 64-bit build returns true, as the size of
 * the registers will tell, a 32-bit build false, unless the thread has ended.
 */
bool attach_fits(const struct ptrace_state *st, pid_t tid);
/* Returns OK if attach_fits; else UNSUPPORTED, and `diag` says why. */
MUST_CHECK enum status attach_verify(const struct ptrace_state *st, pid_t tid, struct diag *diag);

#endif
