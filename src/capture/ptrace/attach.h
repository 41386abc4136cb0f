/* SPDX-License-Identifier: MIT */
/*
 * Attaching to a running process, and starting a command so that it is captured from its first
 * instruction.
 */
#ifndef CAPTURE_PTRACE_ATTACH_H
#define CAPTURE_PTRACE_ATTACH_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/diag.h"
#include "base/status.h"
#include "capture/ptrace/tracees.h"

/* Attaches to all threads asked for. Fills `machine`; on failure `diag`. */
MUST_CHECK enum status attach_process(struct ptrace_state *st, struct target_machine *machine,
                                      struct diag *diag);

/*
 * The parts of that: of the first process, whose machine it is, and of another one, for which
 * nobody is kept waiting. NOT_FOUND: there is nothing to attach to (it is a zombie, say); BUSY: it
 * is in exec, and some of its threads may be attached.
 */
MUST_CHECK enum status attach_first(struct ptrace_state *st, pid_t pid,
                                    struct target_machine *machine, struct diag *diag);
MUST_CHECK enum status attach_more(struct ptrace_state *st, pid_t pid, struct diag *diag);

/* The same of a process whose threads were all detached; and whether they are. backend.h */
MUST_CHECK enum status attach_again(void *state, pid_t pid, uint64_t before_ns, struct diag *diag);
bool attach_holds(void *state, pid_t pid);

/*
 * PTRACE_SEIZE: 0, or an errno. One that is ending, which is ESRCH, is refused like one that must
 * not be traced, and whether it is may be seen only a moment later: if `patient`, it is tried some
 * times more, a millisecond apart. EALREADY: it is ours, attached with the thread that made it. Not
 * patient: ETIMEDOUT tells that another thread of the process is in exec.
 */
MUST_CHECK int attach_try(struct ptrace_state *st, const struct target_process *process, pid_t tid,
                          bool patient);
bool attach_is_zombie(const struct target_process *process, pid_t tid);
/* A thread of the kernel's, which runs no code of the program's: io_uring and vhost have such. */
bool attach_is_worker(const struct target_process *process, pid_t tid);

/*
 * Another process's thread was attached, which has got a number since that was read. It is let go,
 * which takes a stop: its, which is asked for here, or one that is seen later (tracing_next).
 */
void attach_let_go(struct ptrace_state *st, pid_t tid);

/* Runs the command up to its exec, where it stays stopped. The rest as above. */
MUST_CHECK enum status attach_command(struct ptrace_state *st, struct target_machine *machine,
                                      struct diag *diag);

/*
 * Finds the registers of the program that `pid` runs: a 32-bit tracer must not touch a 64-bit
 * process, of which the kernel of an AArch64 machine gives it registers that are none, without a
 * word. UNSUPPORTED: this build cannot capture it. What cannot be told is taken for a program like
 * this one; attach_fits has the last word.
 */
MUST_CHECK enum status attach_choose(struct ptrace_state *st, pid_t pid,
                                     struct target_machine *machine, struct diag *diag);

/*
 * Once a thread is attached, and after an exec: are those registers the right ones? When that
 * cannot be told, a 32-bit build says no; in a 64-bit one the size of the registers will tell.
 */
bool attach_fits(const struct ptrace_state *st, pid_t tid);
/* The same; UNSUPPORTED fills `diag`. */
MUST_CHECK enum status attach_verify(const struct ptrace_state *st, pid_t tid, struct diag *diag);

#endif
