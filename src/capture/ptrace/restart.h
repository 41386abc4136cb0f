/* SPDX-License-Identifier: MIT */
/*
 * Makes a thread repeat system calls that a ptrace stop would make fail with EINTR though no signal
 * handler ran (signal(7), "Interruption of system calls by stop signals"). A call that returned
 * EINTR has done nothing yet. Every other call restarts by itself or, like close, must not be made
 * twice.
 *
 *     x86         the kernel looks at the result when the stop is over: at ERESTARTNOHAND it makes
 *                 the call again if it runs no handler, and returns EINTR if it runs one, which is
 *                 what would have happened without us
 *     ARM,        the kernel has looked before the stop: so the registers are set back to before
 *     AArch64     the instruction that makes the call. If a handler is to run after all, the call
 *                 must return EINTR: restart_fail.
 *
 * On ARM only place and result tell that a thread stopped in a call's exit. The thread may as well
 * stop where a signal handler has returned to, behind a call that rightly ended with EINTR; taking
 * this EINTR away would be worse than showing one too many. So no call is made again in a thread in
 * which a handler has run, whose code must expect EINTR. Handlers that ran before cgsnap attached
 * are not known: a handler that is just returning then, behind such a call, loses its EINTR if the
 * thread's first stop falls on that very instruction.
 *
 * Nor is a call made again whose first argument, which the result has replaced, is not known:
 * AArch64 kernels of 2026 do not tell it any more. The call that was read before the stop would be
 * the right one nearly always; but a thread that has returned since, and called again, would then
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
 * Makes the stopped thread `tid` repeat its system call when it goes on, if the call is about to
 * return EINTR only because of the stop; else does nothing. `regset`: the thread's registers if
 * they were read, or NULL. `handles`: a signal handler has run in the thread. Returns a hash of the
 * registers with which it makes the call again, if restart_fail may be needed; else 0.
 */
uint64_t restart_interrupted(const struct arch_capture *backend, pid_t tid,
                             const struct regset *regset, bool handles);

/*
 * Makes the system call that restart_interrupted would have repeated return EINTR after all, as a
 * signal handler is about to run in the thread. Does nothing unless the thread's registers still
 * have the hash that restart_interrupted returned. The place alone would not do: a C library may
 * have one instruction for all calls, and the kernel itself puts a thread back to this instruction,
 * for calls that go on behind a handler. (If the thread has come there again with the same
 * registers, this is the same call, which may as well have begun when the signal came.)
 */
void restart_fail(const struct arch_capture *backend, pid_t tid, uint64_t hash);

/*
 * Whether a stop at `pc` finds the thread in the system call `call` (as read from /proc/PID/syscall
 * before), at its end or already set back by the kernel to make the call again.
 */
bool restart_same_place(const struct arch_capture *backend, const struct regset *regset,
                        const struct proc_syscall *call, uint64_t pc);

/*
 * Whether a thread for which restart_same_place is true will make the system call again when it is
 * let go, with the same two first arguments, as a stop interrupted the call. False: it was woken.
 */
bool restart_is_due(const struct arch_capture *backend, const struct regset *regset,
                    const struct proc_syscall *call, uint64_t pc);

#endif
