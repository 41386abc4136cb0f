/* SPDX-License-Identifier: MIT */
#include "threads/waits/wait_calls.h"

#include <linux/net.h>

/* By enum syscall; 0: not known to block. */
#define KIND(kind) ((kind) + 1)
static const uint8_t kinds[CALL_COUNT] = {
    [CALL_FUTEX] = KIND(WAIT_FUTEX),
    [CALL_FUTEX_TIME64] = KIND(WAIT_FUTEX),
    [CALL_FUTEX_WAITV] = KIND(WAIT_FUTEX),
    [CALL_FUTEX_WAIT] = KIND(WAIT_FUTEX),
    [CALL_RESTART_SYSCALL] = KIND(WAIT_OTHER),
    [CALL_READ] = KIND(WAIT_READ),
    [CALL_READV] = KIND(WAIT_READ),
    [CALL_PREAD64] = KIND(WAIT_READ),
    [CALL_PREADV] = KIND(WAIT_READ),
    [CALL_PREADV2] = KIND(WAIT_READ),
    [CALL_RECV] = KIND(WAIT_READ),
    [CALL_RECVFROM] = KIND(WAIT_READ),
    [CALL_RECVMSG] = KIND(WAIT_READ),
    [CALL_RECVMMSG] = KIND(WAIT_READ),
    [CALL_RECVMMSG_TIME64] = KIND(WAIT_READ),
    [CALL_MQ_TIMEDRECEIVE] = KIND(WAIT_READ),
    [CALL_MQ_TIMEDRECEIVE_TIME64] = KIND(WAIT_READ),
    [CALL_WRITE] = KIND(WAIT_WRITE),
    [CALL_WRITEV] = KIND(WAIT_WRITE),
    [CALL_PWRITE64] = KIND(WAIT_WRITE),
    [CALL_PWRITEV] = KIND(WAIT_WRITE),
    [CALL_PWRITEV2] = KIND(WAIT_WRITE),
    [CALL_SEND] = KIND(WAIT_WRITE),
    [CALL_SENDTO] = KIND(WAIT_WRITE),
    [CALL_SENDMSG] = KIND(WAIT_WRITE),
    [CALL_SENDMMSG] = KIND(WAIT_WRITE),
    [CALL_SENDFILE] = KIND(WAIT_WRITE),
    [CALL_SENDFILE64] = KIND(WAIT_WRITE),
    [CALL_MQ_TIMEDSEND] = KIND(WAIT_WRITE),
    [CALL_MQ_TIMEDSEND_TIME64] = KIND(WAIT_WRITE),
    [CALL_ACCEPT] = KIND(WAIT_ACCEPT),
    [CALL_ACCEPT4] = KIND(WAIT_ACCEPT),
    [CALL_CONNECT] = KIND(WAIT_CONNECT),
    [CALL_SOCKETCALL] = KIND(WAIT_OTHER),
    [CALL_POLL] = KIND(WAIT_POLL),
    [CALL_PPOLL] = KIND(WAIT_POLL),
    [CALL_PPOLL_TIME64] = KIND(WAIT_POLL),
    [CALL_SELECT] = KIND(WAIT_POLL),
    [CALL_NEWSELECT] = KIND(WAIT_POLL),
    [CALL_PSELECT6] = KIND(WAIT_POLL),
    [CALL_PSELECT6_TIME64] = KIND(WAIT_POLL),
    [CALL_EPOLL_WAIT] = KIND(WAIT_POLL),
    [CALL_EPOLL_PWAIT] = KIND(WAIT_POLL),
    [CALL_EPOLL_PWAIT2] = KIND(WAIT_POLL),
    [CALL_FLOCK] = KIND(WAIT_FILE_LOCK),
    [CALL_FCNTL] = KIND(WAIT_FILE_LOCK),
    [CALL_FCNTL64] = KIND(WAIT_FILE_LOCK),
    [CALL_NANOSLEEP] = KIND(WAIT_SLEEP),
    [CALL_CLOCK_NANOSLEEP] = KIND(WAIT_SLEEP),
    [CALL_CLOCK_NANOSLEEP_TIME64] = KIND(WAIT_SLEEP),
    [CALL_PAUSE] = KIND(WAIT_SLEEP),
    [CALL_WAIT4] = KIND(WAIT_CHILD),
    [CALL_WAITID] = KIND(WAIT_CHILD),
    [CALL_WAITPID] = KIND(WAIT_CHILD),
    [CALL_RT_SIGTIMEDWAIT] = KIND(WAIT_SIGNAL),
    [CALL_RT_SIGTIMEDWAIT_TIME64] = KIND(WAIT_SIGNAL),
    [CALL_RT_SIGSUSPEND] = KIND(WAIT_SIGNAL),
    [CALL_SIGSUSPEND] = KIND(WAIT_SIGNAL),
};

struct wait_call wait_call_find(const struct arch *arch, int64_t number)
{
    enum syscall call = syscall_find(arch->syscalls, number);

    if (call == CALL_COUNT || !kinds[call])
        return (struct wait_call){.kind = WAIT_OTHER, .form = FORM_NO_OBJECT};
    return (struct wait_call){.kind = (enum wait_kind)(kinds[call] - 1),
                              .form = syscall_form(call)};
}

enum wait_kind wait_socket_call_kind(uint64_t call)
{
    switch (call) {
    case SYS_CONNECT:
        return WAIT_CONNECT;
    case SYS_ACCEPT:
    case SYS_ACCEPT4:
        return WAIT_ACCEPT;
    case SYS_SEND:
    case SYS_SENDTO:
    case SYS_SENDMSG:
    case SYS_SENDMMSG:
        return WAIT_WRITE;
    case SYS_RECV:
    case SYS_RECVFROM:
    case SYS_RECVMSG:
    case SYS_RECVMMSG:
        return WAIT_READ;
    default:
        return WAIT_OTHER;
    }
}
