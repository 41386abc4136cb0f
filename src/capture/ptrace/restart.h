/* SPDX-License-Identifier: MIT */
/*
 * Has system calls made again that a ptrace stop would make fail with EINTR though no signal
 * handler ran (signal(7), "Interruption of system calls by stop signals"). A call that returned
 * EINTR has done nothing yet. Every other call restarts by itself or, like close, must not be made
 * twice.
 *
 *     x86         the kernel looks at the result when the stop is over: at ERESTARTNOHAND it makes
 *                 the call again if it runs no handler, and returns EINTR if it runs one, which is
 *                 what would have happened without us
 *     ARM,        the kernel has looked before the stop: so the registers are set back to before
 *     AArch64     the instruction that makes the call. A handler that is to run after all wants
 *                 EINTR: restart_fail.
 *
 * On ARM only place and result tell that a thread stopped in a call's exit. It may as well stop
 * where a signal handler has returned to, behind a call that rightly ended with EINTR; taking this
 * EINTR away would be worse than showing one too many. So nothing is made again in a thread in
 * which a handler has run, which must expect EINTR. Handlers that ran before we attached are not
 * known: a handler that is just returning then, behind such a call, loses its EINTR if the thread's
 * first stop falls on that very instruction.
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
 * If the stopped thread `tid` is about to return EINTR from a system call that only the stop
 * interrupted: has it made again. Does nothing otherwise. `regset`: its registers if they were
 * read, or NULL. `handles`: a signal handler has run in it. Returns a hash of the registers with
 * which it makes the call again, if restart_fail may be needed; else 0.
 */
uint64_t restart_interrupted(const struct arch_capture *backend, pid_t tid,
                             const struct regset *regset, bool handles);

/*
 * For a handler that is about to run in a thread that restart_interrupted set back: makes the call
 * return EINTR. Does nothing unless the thread's registers have the hash. The place alone would not
 * do: a C library may have one instruction for all calls, and the kernel itself puts a thread back
 * to it, for calls that go on behind a handler. (If the thread has come there again with the same
 * registers, it is the same call, which may as well have begun when the signal came.)
 */
void restart_fail(const struct arch_capture *backend, pid_t tid, uint64_t hash);

/*
 * Does a stop at `pc` find the thread in the system call of /proc/PID/syscall? The kernel may have
 * set it back already to make the call again.
 */
bool restart_same_place(const struct arch_capture *backend, const struct regset *regset,
                        const struct proc_syscall *call, uint64_t pc);

/*
 * Where restart_same_place holds: will the thread, let go, make the call again with the same two
 * first arguments, as this stop or one before interrupted it? Not if it was woken.
 */
bool restart_is_due(const struct arch_capture *backend, const struct regset *regset,
                    const struct proc_syscall *call, uint64_t pc);

#endif
