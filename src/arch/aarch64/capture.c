#include "arch/capture.h"

#include <elf.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

#include "base/procfs.h"

#ifndef NT_ARM_TLS
#define NT_ARM_TLS 0x401
#endif

#ifndef NT_ARM_SYSTEM_CALL
#define NT_ARM_SYSTEM_CALL 0x404
#endif

/* The words of NT_PRSTATUS: struct user_pt_regs; x0 to x30 come first. */
enum { X0 = 0, X8 = 8, SP = 31, PC, PSTATE, WORDS };

static void decode(const struct regset *regset, uint64_t *values)
{
    for (unsigned i = 0; i <= PC; i++)
        values[i] = regset_word(regset, 8, i);
}

static uint64_t thread_pointer(pid_t tid, const struct regset *regset)
{
    uint64_t tls[2] = {0}; /* TPIDR_EL0, and TPIDR2_EL0 where there is one */
    struct iovec iov = {.iov_base = tls, .iov_len = sizeof(tls)};

    (void)regset;
    return ptrace(PTRACE_GETREGSET, tid, (void *)NT_ARM_TLS, &iov) == 0 ? tls[0] : 0;
}

#ifdef __aarch64__
/*
 * The same as NT_ARM_PAC_MASK tells of a stopped thread: it depends on the size of the kernel's
 * user address space only, so we may ask the CPU to strip an address of our own. XPACLRI is a hint,
 * which a CPU without pointer authentication ignores.
 */
static uint64_t pac_mask(void)
{
    const uint64_t ones = UINT64_MAX >> 9; /* bit 55 tells whose half of the address space it is */
    register uint64_t lr __asm__("x30") = ones;

    __asm__ volatile("hint #7" : "+r"(lr));
    return ones ^ lr;
}
#endif

static uint32_t call_insn(const struct regset *regset, unsigned *size)
{
    (void)regset;
    *size = 4;
    return 0xd4000001; /* svc #0 */
}

static bool set_call(pid_t tid, int nr)
{
    struct iovec iov = {.iov_base = &nr, .iov_len = sizeof(nr)};

    return ptrace(PTRACE_SETREGSET, tid, (void *)NT_ARM_SYSTEM_CALL, &iov) == 0;
}

/*
 * The kernel keeps x0, but shows it only in /proc/PID/syscall, and there only while the thread is
 * in a call. It has forgotten the call's number by now: so we remind it, look, and take it back.
 */
static bool ask_kernel(pid_t tid, uint64_t nr, uint64_t *out)
{
    struct proc_syscall call = {.nr = -1};
    char text[256];
    ssize_t n;
    bool ok;

    if (!set_call(tid, (int)nr))
        return false;
    n = proc_readf(text, sizeof(text), "/proc/%d/syscall", (int)tid);
    ok = n > 0 && proc_parse_syscall(text, (size_t)n, &call) && call.nr == (int64_t)nr;
    *out = call.args[0];
    return set_call(tid, -1) && ok;
}

/* Kernels of 2026 (Debian's 6.1.192 is one) show x0 as it is now, the result: it is lost then. */
static bool first_argument(pid_t tid, const struct regset *regset, uint64_t nr, uint64_t *out)
{
    return ask_kernel(tid, nr, out) && *out != regset_word(regset, 8, X0);
}

static const uint16_t eintr_calls[] = {
    4,   /* io_getevents */
    22,  /* epoll_pwait */
    63,  /* read */
    64,  /* write */
    65,  /* readv */
    66,  /* writev */
    137, /* rt_sigtimedwait */
    192, /* semtimedop */
    193, /* semop */
    202, /* accept */
    203, /* connect */
    206, /* sendto */
    207, /* recvfrom */
    211, /* sendmsg */
    212, /* recvmsg */
    242, /* accept4 */
    243, /* recvmmsg */
    269, /* sendmmsg */
    426, /* io_uring_enter */
    441, /* epoll_pwait2 */
};

static const struct wait_syscall wait_calls[] = {
    {22, WAIT_FOR_FD},     /* epoll_pwait */
    {25, WAIT_FOR_FD},     /* fcntl */
    {29, WAIT_FOR_FD},     /* ioctl */
    {32, WAIT_FOR_FD},     /* flock */
    {63, WAIT_FOR_FD},     /* read */
    {64, WAIT_FOR_FD},     /* write */
    {65, WAIT_FOR_FD},     /* readv */
    {66, WAIT_FOR_FD},     /* writev */
    {67, WAIT_FOR_FD},     /* pread64 */
    {68, WAIT_FOR_FD},     /* pwrite64 */
    {69, WAIT_FOR_FD},     /* preadv */
    {70, WAIT_FOR_FD},     /* pwritev */
    {72, WAIT_FOR_SELECT}, /* pselect6 */
    {73, WAIT_FOR_POLL},   /* ppoll */
    {98, WAIT_FOR_FUTEX},  /* futex */
    {202, WAIT_FOR_FD},    /* accept */
    {203, WAIT_FOR_FD},    /* connect */
    {206, WAIT_FOR_FD},    /* sendto */
    {207, WAIT_FOR_FD},    /* recvfrom */
    {211, WAIT_FOR_FD},    /* sendmsg */
    {212, WAIT_FOR_FD},    /* recvmsg */
    {242, WAIT_FOR_FD},    /* accept4 */
    {243, WAIT_FOR_FD},    /* recvmmsg */
    {269, WAIT_FOR_FD},    /* sendmmsg */
    {286, WAIT_FOR_FD},    /* preadv2 */
    {287, WAIT_FOR_FD},    /* pwritev2 */
    {441, WAIT_FOR_FD},    /* epoll_pwait2 */
};

const struct regs_backend regs_aarch64 = {
    .arch = ARCH_AARCH64,
    .regset_size = WORDS * 8,
    .restart_syscall = 128,
    .frame_stack_off = -416,
    .word_size = 8,
    .red_zone = 0,
    .addr_mask = UINT64_MAX >> 8, /* the top byte is ignored; MTE keeps its tags there */
    .decode = decode,
    .thread_pointer = thread_pointer,
#ifdef __aarch64__
    .pac_mask = pac_mask,
#endif
    .restart = {.calls = eintr_calls,
                .call_count = sizeof(eintr_calls) / sizeof(eintr_calls[0]),
                .result = X0,
                .call = X8,
                .pc = PC,
                .args = {X0, X0 + 1},
                .call_insn = call_insn,
                .first_argument = first_argument},
    .wait_calls = wait_calls,
    .wait_call_count = sizeof(wait_calls) / sizeof(wait_calls[0]),
};
