#include "arch/capture.h"

#include <elf.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

#ifndef NT_ARM_TLS
#define NT_ARM_TLS 0x401
#endif

/* The words of NT_PRSTATUS: struct pt_regs of the kernel's <asm/ptrace.h>; r0 to r12 come first. */
enum { R0 = 0, R7 = 7, SP = 13, LR, PC, CPSR, ORIG_R0, WORDS };

#define CPSR_T 0x20u /* in T32 code */

/* A request of 32-bit ARM tracers only; a 64-bit one reads NT_ARM_TLS, which those do not have. */
#define GET_THREAD_AREA 22

static void decode(const struct regset *regset, uint64_t *values)
{
    for (unsigned i = 0; i <= CPSR; i++)
        values[i] = regset_word(regset, 4, i);
}

static uint64_t thread_pointer(pid_t tid, const struct regset *regset)
{
    uint32_t tls = 0;

    (void)regset;
#ifdef __arm__
    if (ptrace(GET_THREAD_AREA, tid, NULL, &tls) != 0)
        return 0;
#else
    struct iovec iov = {.iov_base = &tls, .iov_len = sizeof(tls)};
    if (ptrace(PTRACE_GETREGSET, tid, (void *)NT_ARM_TLS, &iov) != 0)
        return 0;
#endif
    return tls;
}

static uint32_t call_insn(const struct regset *regset, unsigned *size)
{
    bool t32 = regset_word(regset, 4, CPSR) & CPSR_T;

    *size = t32 ? 2 : 4;
    return t32 ? 0xdf00 : 0xef000000; /* svc #0 */
}

/* The kernel keeps r0; -1 stands for an entry to it that was no call. */
static bool first_argument(pid_t tid, const struct regset *regset, uint64_t nr, uint64_t *out)
{
    (void)tid, (void)nr;
    *out = regset_word(regset, 4, ORIG_R0);
    return *out != UINT32_MAX;
}

static const uint16_t eintr_calls[] = {
    3,   /* read */
    4,   /* write */
    145, /* readv */
    146, /* writev */
    177, /* rt_sigtimedwait */
    245, /* io_getevents */
    252, /* epoll_wait */
    283, /* connect */
    285, /* accept */
    289, /* send */
    290, /* sendto */
    291, /* recv */
    292, /* recvfrom */
    296, /* sendmsg */
    297, /* recvmsg */
    298, /* semop */
    312, /* semtimedop */
    346, /* epoll_pwait */
    365, /* recvmmsg */
    366, /* accept4 */
    374, /* sendmmsg */
    417, /* recvmmsg_time64 */
    420, /* semtimedop_time64 */
    421, /* rt_sigtimedwait_time64 */
    426, /* io_uring_enter */
    441, /* epoll_pwait2 */
};

static const struct wait_syscall wait_calls[] = {
    {3, WAIT_FOR_FD},       /* read */
    {4, WAIT_FOR_FD},       /* write */
    {54, WAIT_FOR_FD},      /* ioctl */
    {55, WAIT_FOR_FD},      /* fcntl */
    {142, WAIT_FOR_SELECT}, /* _newselect */
    {143, WAIT_FOR_FD},     /* flock */
    {145, WAIT_FOR_FD},     /* readv */
    {146, WAIT_FOR_FD},     /* writev */
    {168, WAIT_FOR_POLL},   /* poll */
    {180, WAIT_FOR_FD},     /* pread64 */
    {181, WAIT_FOR_FD},     /* pwrite64 */
    {221, WAIT_FOR_FD},     /* fcntl64 */
    {240, WAIT_FOR_FUTEX},  /* futex */
    {252, WAIT_FOR_FD},     /* epoll_wait */
    {283, WAIT_FOR_FD},     /* connect */
    {285, WAIT_FOR_FD},     /* accept */
    {289, WAIT_FOR_FD},     /* send */
    {290, WAIT_FOR_FD},     /* sendto */
    {291, WAIT_FOR_FD},     /* recv */
    {292, WAIT_FOR_FD},     /* recvfrom */
    {296, WAIT_FOR_FD},     /* sendmsg */
    {297, WAIT_FOR_FD},     /* recvmsg */
    {335, WAIT_FOR_SELECT}, /* pselect6 */
    {336, WAIT_FOR_POLL},   /* ppoll */
    {346, WAIT_FOR_FD},     /* epoll_pwait */
    {361, WAIT_FOR_FD},     /* preadv */
    {362, WAIT_FOR_FD},     /* pwritev */
    {365, WAIT_FOR_FD},     /* recvmmsg */
    {366, WAIT_FOR_FD},     /* accept4 */
    {374, WAIT_FOR_FD},     /* sendmmsg */
    {392, WAIT_FOR_FD},     /* preadv2 */
    {393, WAIT_FOR_FD},     /* pwritev2 */
    {413, WAIT_FOR_SELECT}, /* pselect6_time64 */
    {414, WAIT_FOR_POLL},   /* ppoll_time64 */
    {417, WAIT_FOR_FD},     /* recvmmsg_time64 */
    {422, WAIT_FOR_FUTEX},  /* futex_time64 */
    {441, WAIT_FOR_FD},     /* epoll_pwait2 */
};

const struct regs_backend regs_arm = {
    .arch = ARCH_ARM,
    .regset_size = WORDS * 4,
    .restart_syscall = 0,
    .frame_stack_off = -76,
    .word_size = 4,
    .red_zone = 0,
    .addr_mask = UINT32_MAX,
    .decode = decode,
    .thread_pointer = thread_pointer,
    .restart = {.calls = eintr_calls,
                .call_count = sizeof(eintr_calls) / sizeof(eintr_calls[0]),
                .result = R0,
                .call = R7,
                .pc = PC,
                .args = {R0, R0 + 1},
                .call_insn = call_insn,
                .first_argument = first_argument},
    .wait_calls = wait_calls,
    .wait_call_count = sizeof(wait_calls) / sizeof(wait_calls[0]),
};
