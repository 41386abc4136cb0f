#include "capture/regs.h"

#if defined(__x86_64__) && defined(__LP64__)

#include <errno.h>
#include <stddef.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>

#ifndef SYS_epoll_pwait2
#define SYS_epoll_pwait2 441
#endif

/* The kernel's own error number: restart, or return EINTR when a signal handler is run. */
#define ERESTARTNOHAND 514

/* The register at an offset of struct user_regs_struct, which is what NT_PRSTATUS holds. */
#define REG(regset, name) ((regset)->bytes[offsetof(struct user_regs_struct, name) / 8])

static void decode(const struct regset *regset, uint64_t *values)
{
    const uint64_t order[] = {REG(regset, rax), REG(regset, rdx), REG(regset, rcx),
                              REG(regset, rbx), REG(regset, rsi), REG(regset, rdi),
                              REG(regset, rbp), REG(regset, rsp), REG(regset, r8),
                              REG(regset, r9),  REG(regset, r10), REG(regset, r11),
                              REG(regset, r12), REG(regset, r13), REG(regset, r14),
                              REG(regset, r15), REG(regset, rip)};

    for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
        values[i] = order[i];
}

static uint64_t thread_pointer(pid_t tid, const struct regset *regset)
{
    (void)tid;
    return REG(regset, fs_base);
}

/*
 * Calls that return EINTR when a stop woke them, though no handler ran (signal(7), "Interruption of
 * system calls by stop signals"; the socket calls when SO_RCVTIMEO or SO_SNDTIMEO is set; the io_
 * calls in the kernel's source). One that returned EINTR has done nothing yet, so it can be made
 * again. Every other call restarts by itself, or, like close, must not be made twice.
 */
static bool returns_eintr(uint64_t nr)
{
    switch (nr) {
    case SYS_epoll_wait:
    case SYS_epoll_pwait:
    case SYS_epoll_pwait2:
    case SYS_rt_sigtimedwait:
    case SYS_semop:
    case SYS_semtimedop:
    case SYS_io_getevents:
    case SYS_io_uring_enter:
    case SYS_read:
    case SYS_readv:
    case SYS_write:
    case SYS_writev:
    case SYS_accept:
    case SYS_accept4:
    case SYS_connect:
    case SYS_recvfrom:
    case SYS_recvmsg:
    case SYS_recvmmsg:
    case SYS_sendto:
    case SYS_sendmsg:
    case SYS_sendmmsg:
        return true;
    }
    return false;
}

/*
 * orig_rax names the system call whose exit path the thread stopped on; it is -1 after a fault or
 * an interrupt, and rax is no error any more once a handler's frame was set up. The kernel looks at
 * rax after the stop (arch_do_signal_or_restart): with ERESTARTNOHAND it makes the call again if it
 * runs no handler, and turns it into EINTR if it runs one, which is what would have happened
 * without us.
 */
static void restart_interrupted(pid_t tid, const struct regset *regset)
{
    const size_t orig_rax = offsetof(struct user_regs_struct, orig_rax);
    const size_t rax = offsetof(struct user_regs_struct, rax);
    long nr, result;

    errno = 0;
    nr = regset ? (long)REG(regset, orig_rax) : ptrace(PTRACE_PEEKUSER, tid, orig_rax, NULL);
    if (errno || !returns_eintr((uint64_t)nr))
        return;
    result = regset ? (long)REG(regset, rax) : ptrace(PTRACE_PEEKUSER, tid, rax, NULL);
    if (result == -EINTR)
        ptrace(PTRACE_POKEUSER, tid, rax, -(long)ERESTARTNOHAND);
}

const struct regs_backend regs_x86_64 = {
    .arch = ARCH_X86_64,
    .regset_size = sizeof(struct user_regs_struct),
    .restart_syscall = SYS_restart_syscall,
    .frame_stack_off = -144,
    .red_zone = 128, /* System V ABI, AMD64, 3.2.2 */
    .decode = decode,
    .thread_pointer = thread_pointer,
    .restart_interrupted = restart_interrupted,
};

#else
typedef int regs_x86_64_is_for_its_host; /* ISO C wants a declaration in every file */
#endif
