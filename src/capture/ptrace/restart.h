/* SPDX-License-Identifier: MIT */
/*
 * System calls that a ptrace stop would make fail with EINTR, though no signal handler ran
 * (signal(7), "Interruption of system calls by stop signals"): they are made again. One that
 * returned EINTR has done nothing yet. Every other call restarts by itself, or, like close, must
 * not be made twice.
 *
 *     x86         the kernel looks at the result when the stop is over: with ERESTARTNOHAND there
 *                 it makes the call again if it runs no handler, and returns EINTR if it runs one,
 *                 which is what would have happened without us
 *     ARM,        it has looked before the stop: so the registers are set back to before the
 *     AArch64     instruction that makes the call. A handler that is to run after all wants EINTR:
 *                 restart_fail.
 *
 * On ARM nothing but the place and the result tells that a thread stopped in a call's exit. It may
 * as well stop where a signal handler has returned to, behind a call that rightly ended with EINTR,
 * and to take that away would be worse than to show one too many. So in a thread in which a handler
 * has run, which must expect EINTR, nothing is made again. Of handlers that ran before we attached
 * nothing is known: one that is just returning then, behind such a call, loses its EINTR if the
 * thread's first stop falls on that very instruction.
 *
 * Nor can a call be made again whose first argument is not known, which the result has replaced:
 * AArch64 kernels of 2026 do not tell it any more. What the thread did when it was looked at before
 * the stop would do nearly always: but one that has returned since, and called again, would then
 * wait for another file than it asked for. The EINTR is seen instead.
 */
#ifndef CAPTURE_PTRACE_RESTART_H
#define CAPTURE_PTRACE_RESTART_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "arch/capture.h"
#include "base/procfs.h"

/*
 * The stopped thread `tid` may be about to return EINTR from a system call that nothing but the
 * stop interrupted: has it made again. Does nothing in every other case. `regset`: its registers if
 * they were read, or NULL. `handles`: a signal handler has run in it. Returns, if restart_fail may
 * be needed, a hash of the registers with which it makes the call again, else 0.
 */
uint64_t restart_interrupted(const struct arch_capture *backend, pid_t tid,
                             const struct regset *regset, bool handles);

/*
 * A handler is about to run in the thread, which has not gone beyond where restart_interrupted put
 * it: the call returns EINTR. Does nothing unless its registers are those of the hash. The place
 * alone would not do: a C library may have one instruction for all calls, and the kernel puts a
 * thread back to it by itself, for calls that are to go on behind a handler. (If the thread has
 * come there again with all the same registers, it is the same call, which may as well have begun
 * when the signal came.)
 */
void restart_fail(const struct arch_capture *backend, pid_t tid, uint64_t hash);

/*
 * Does a stop at `pc` find the thread in the system call that /proc/PID/syscall told of? The kernel
 * may have set it back already to make the call again.
 */
bool restart_same_place(const struct arch_capture *backend, const struct regset *regset,
                        const struct proc_syscall *call, uint64_t pc);

/*
 * Where restart_same_place holds: was the call interrupted, by that stop or one before, so that the
 * thread, when it is let go, makes it again with the same two first arguments? Not if it was woken.
 */
bool restart_is_due(const struct arch_capture *backend, const struct regset *regset,
                    const struct proc_syscall *call, uint64_t pc);

#endif
