#include "arch/capture.h"

/* The words of NT_PRSTATUS: struct user_regs_struct of <sys/user.h>. */
enum {
    R15,
    R14,
    R13,
    R12,
    RBP,
    RBX,
    R11,
    R10,
    R9,
    R8,
    RAX,
    RCX,
    RDX,
    RSI,
    RDI,
    ORIG_RAX,
    RIP,
    CS,
    EFLAGS,
    RSP,
    SS,
    FS_BASE,
    GS_BASE,
    DS,
    ES,
    FS,
    GS,
    WORDS
};

static void decode(const struct regset *regset, uint64_t *values)
{
    static const uint8_t order[] = {RAX, RDX, RCX, RBX, RSI, RDI, RBP, RSP, R8,
                                    R9,  R10, R11, R12, R13, R14, R15, RIP};

    regset_pick(regset, 8, order, sizeof(order), values);
}

static uint64_t thread_pointer(pid_t tid, const struct regset *regset)
{
    (void)tid;
    return regset_word(regset, 8, FS_BASE);
}

static const uint16_t eintr_calls[] = {
    0,   /* read */
    1,   /* write */
    19,  /* readv */
    20,  /* writev */
    42,  /* connect */
    43,  /* accept */
    44,  /* sendto */
    45,  /* recvfrom */
    46,  /* sendmsg */
    47,  /* recvmsg */
    65,  /* semop */
    128, /* rt_sigtimedwait */
    208, /* io_getevents */
    220, /* semtimedop */
    232, /* epoll_wait */
    281, /* epoll_pwait */
    288, /* accept4 */
    299, /* recvmmsg */
    307, /* sendmmsg */
    426, /* io_uring_enter */
    441, /* epoll_pwait2 */
};

static const struct wait_syscall wait_calls[] = {
    {0, WAIT_FOR_FD},       /* read */
    {1, WAIT_FOR_FD},       /* write */
    {7, WAIT_FOR_POLL},     /* poll */
    {16, WAIT_FOR_FD},      /* ioctl */
    {17, WAIT_FOR_FD},      /* pread64 */
    {18, WAIT_FOR_FD},      /* pwrite64 */
    {19, WAIT_FOR_FD},      /* readv */
    {20, WAIT_FOR_FD},      /* writev */
    {23, WAIT_FOR_SELECT},  /* select */
    {42, WAIT_FOR_FD},      /* connect */
    {43, WAIT_FOR_FD},      /* accept */
    {44, WAIT_FOR_FD},      /* sendto */
    {45, WAIT_FOR_FD},      /* recvfrom */
    {46, WAIT_FOR_FD},      /* sendmsg */
    {47, WAIT_FOR_FD},      /* recvmsg */
    {72, WAIT_FOR_FD},      /* fcntl */
    {73, WAIT_FOR_FD},      /* flock */
    {202, WAIT_FOR_FUTEX},  /* futex */
    {232, WAIT_FOR_FD},     /* epoll_wait */
    {270, WAIT_FOR_SELECT}, /* pselect6 */
    {271, WAIT_FOR_POLL},   /* ppoll */
    {281, WAIT_FOR_FD},     /* epoll_pwait */
    {288, WAIT_FOR_FD},     /* accept4 */
    {295, WAIT_FOR_FD},     /* preadv */
    {296, WAIT_FOR_FD},     /* pwritev */
    {299, WAIT_FOR_FD},     /* recvmmsg */
    {307, WAIT_FOR_FD},     /* sendmmsg */
    {327, WAIT_FOR_FD},     /* preadv2 */
    {328, WAIT_FOR_FD},     /* pwritev2 */
    {441, WAIT_FOR_FD},     /* epoll_pwait2 */
};

const struct regs_backend regs_x86_64 = {
    .arch = ARCH_X86_64,
    .regset_size = WORDS * 8,
    .restart_syscall = 219,
    .frame_stack_off = -144,
    .word_size = 8,
    .red_zone = 128, /* System V ABI, AMD64, 3.2.2 */
    .addr_mask = UINT64_MAX,
    .decode = decode,
    .thread_pointer = thread_pointer,
    .restart = {.calls = eintr_calls,
                .call_count = sizeof(eintr_calls) / sizeof(eintr_calls[0]),
                .result = RAX,
                .call = ORIG_RAX,
                .pc = RIP,
                .args = {RDI, RSI}},
    .wait_calls = wait_calls,
    .wait_call_count = sizeof(wait_calls) / sizeof(wait_calls[0]),
};
