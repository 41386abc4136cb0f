#include "arch/capture.h"

#include <sys/ptrace.h>

/* The words of NT_PRSTATUS: struct user_regs_struct of <sys/user.h>. */
enum {
    EBX,
    ECX,
    EDX,
    ESI,
    EDI,
    EBP,
    EAX,
    DS,
    ES,
    FS,
    GS,
    ORIG_EAX,
    EIP,
    CS,
    EFLAGS,
    ESP,
    SS,
    WORDS
};

/* A request of i386, which a 64-bit kernel knows for tracers of either kind. */
#define GET_THREAD_AREA 25

static void decode(const struct regset *regset, uint64_t *values)
{
    static const uint8_t order[] = {EAX, ECX, EDX, EBX, ESP, EBP, ESI, EDI, EIP};

    regset_pick(regset, 4, order, sizeof(order), values);
}

/* GS selects a segment of the thread's own, whose base is the thread pointer (set_thread_area). */
static uint64_t thread_pointer(pid_t tid, const struct regset *regset)
{
    uint64_t selector = regset_word(regset, 4, GS) & 0xffff;
    uint32_t area[4] = {0}; /* struct user_desc: number, base, limit, flags */

    if (!selector || ptrace(GET_THREAD_AREA, tid, (void *)(uintptr_t)(selector >> 3), area) != 0)
        return 0;
    return area[1];
}

static const uint16_t eintr_calls[] = {
    3,   /* read */
    4,   /* write */
    102, /* socketcall: of its calls these are accept, connect, recv… and send… */
    117, /* ipc: semop and semtimedop */
    145, /* readv */
    146, /* writev */
    177, /* rt_sigtimedwait */
    247, /* io_getevents */
    256, /* epoll_wait */
    319, /* epoll_pwait */
    337, /* recvmmsg */
    345, /* sendmmsg */
    362, /* connect */
    364, /* accept4 */
    369, /* sendto */
    370, /* sendmsg */
    371, /* recvfrom */
    372, /* recvmsg */
    417, /* recvmmsg_time64 */
    420, /* semtimedop_time64 */
    421, /* rt_sigtimedwait_time64 */
    426, /* io_uring_enter */
    441, /* epoll_pwait2 */
};

static const struct wait_syscall wait_calls[] = {
    {3, WAIT_FOR_FD},           /* read */
    {4, WAIT_FOR_FD},           /* write */
    {54, WAIT_FOR_FD},          /* ioctl */
    {55, WAIT_FOR_FD},          /* fcntl */
    {102, WAIT_FOR_SOCKETCALL}, /* socketcall */
    {142, WAIT_FOR_SELECT},     /* _newselect */
    {143, WAIT_FOR_FD},         /* flock */
    {145, WAIT_FOR_FD},         /* readv */
    {146, WAIT_FOR_FD},         /* writev */
    {168, WAIT_FOR_POLL},       /* poll */
    {180, WAIT_FOR_FD},         /* pread64 */
    {181, WAIT_FOR_FD},         /* pwrite64 */
    {221, WAIT_FOR_FD},         /* fcntl64 */
    {240, WAIT_FOR_FUTEX},      /* futex */
    {256, WAIT_FOR_FD},         /* epoll_wait */
    {308, WAIT_FOR_SELECT},     /* pselect6 */
    {309, WAIT_FOR_POLL},       /* ppoll */
    {319, WAIT_FOR_FD},         /* epoll_pwait */
    {333, WAIT_FOR_FD},         /* preadv */
    {334, WAIT_FOR_FD},         /* pwritev */
    {337, WAIT_FOR_FD},         /* recvmmsg */
    {345, WAIT_FOR_FD},         /* sendmmsg */
    {362, WAIT_FOR_FD},         /* connect */
    {364, WAIT_FOR_FD},         /* accept4 */
    {369, WAIT_FOR_FD},         /* sendto */
    {370, WAIT_FOR_FD},         /* sendmsg */
    {371, WAIT_FOR_FD},         /* recvfrom */
    {372, WAIT_FOR_FD},         /* recvmsg */
    {378, WAIT_FOR_FD},         /* preadv2 */
    {379, WAIT_FOR_FD},         /* pwritev2 */
    {413, WAIT_FOR_SELECT},     /* pselect6_time64 */
    {414, WAIT_FOR_POLL},       /* ppoll_time64 */
    {417, WAIT_FOR_FD},         /* recvmmsg_time64 */
    {422, WAIT_FOR_FUTEX},      /* futex_time64 */
    {441, WAIT_FOR_FD},         /* epoll_pwait2 */
};

const struct regs_backend regs_i386 = {
    .arch = ARCH_I386,
    .regset_size = WORDS * 4,
    .restart_syscall = 0,
    .frame_stack_off = -40,
    .word_size = 4,
    .red_zone = 0,
    .addr_mask = UINT32_MAX,
    .decode = decode,
    .thread_pointer = thread_pointer,
    .restart = {.calls = eintr_calls,
                .call_count = sizeof(eintr_calls) / sizeof(eintr_calls[0]),
                .result = EAX,
                .call = ORIG_EAX,
                .pc = EIP,
                .args = {EBX, ECX}},
    .wait_calls = wait_calls,
    .wait_call_count = sizeof(wait_calls) / sizeof(wait_calls[0]),
};
