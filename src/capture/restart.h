/*
 * System calls that a ptrace stop would make fail with EINTR, though no signal handler ran
 * (signal(7), "Interruption of system calls by stop signals"): they are made again. One that
 * returned EINTR has done nothing yet. Every other call restarts by itself, or, like close, must
 * not be made twice.
 *
 *     x86         the kernel looks at the result when the stop is over: with ERESTARTNOHAND there it
 *                 makes the call again if it runs no handler, and returns EINTR if it runs one,
 *                 which is what would have happened without us
 *     ARM,        it has looked before the stop: so the registers are set back to before the
 *     AArch64     instruction that makes the call. A handler that is to run after all wants EINTR:
 *                 restart_fail.
 *
 * On ARM nothing but the place and the result tells that a thread stopped in a call's exit. It may
 * as well stop where a signal handler has returned to, behind a call that rightly ended with EINTR,
 * and to take that away would be worse than to show one too many. So in a thread in which a handler
 * has run, which must expect EINTR, nothing is made again.
 */
#ifndef CAPTURE_RESTART_H
#define CAPTURE_RESTART_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "capture/procfs.h"
#include "capture/regs.h"

/*
 * The stopped thread `tid` may be about to return EINTR from a system call that nothing but the
 * stop interrupted: has it made again. Does nothing in every other case. `regset`: its registers if
 * they were read, or NULL. `handles`: a signal handler has run in it. Returns where it makes the
 * call again, if restart_fail may be needed, else 0.
 */
uint64_t restart_interrupted(const struct regs_backend *backend, pid_t tid,
                             const struct regset *regset, bool handles);

/*
 * A handler is about to run in the thread, which has not gone beyond `pc`, where
 * restart_interrupted put it: the call returns EINTR. Does nothing if it has gone on. (If it has
 * come there again, to make such a call anew, that call may as well have begun when the signal
 * came.)
 */
void restart_fail(const struct regs_backend *backend, pid_t tid, uint64_t pc);

/*
 * Does a stop at `pc` find the thread in the system call that /proc/PID/syscall told of? The kernel
 * may have set it back already to make the call again.
 */
bool restart_same_place(const struct regs_backend *backend, const struct regset *regset,
                        const struct proc_syscall *call, uint64_t pc);

#endif
