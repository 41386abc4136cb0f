#include "threads/waits/wait_calls.h"

#include <linux/net.h>

/* In the order of enum arch_id: x86-64, i386, arm, aarch64. */
static const struct wait_call calls[] = {
    {"futex", {202, 240, 240, 98}, WAIT_FUTEX, CALL_FUTEX},
    {"futex_time64", {-1, 422, 422, -1}, WAIT_FUTEX, CALL_FUTEX},
    {"futex_waitv", {449, 449, 449, 449}, WAIT_FUTEX, CALL_FUTEX_V},
    {"futex_wait", {455, 455, 455, 455}, WAIT_FUTEX, CALL_FUTEX_2},
    {"restart_syscall", {219, 0, 0, 128}, WAIT_OTHER, CALL_RESTART},

    {"read", {0, 3, 3, 63}, WAIT_READ, CALL_FD},
    {"readv", {19, 145, 145, 65}, WAIT_READ, CALL_FD},
    {"pread64", {17, 180, 180, 67}, WAIT_READ, CALL_FD},
    {"preadv", {295, 333, 361, 69}, WAIT_READ, CALL_FD},
    {"preadv2", {327, 378, 392, 286}, WAIT_READ, CALL_FD},
    {"recv", {-1, -1, 291, -1}, WAIT_READ, CALL_FD},
    {"recvfrom", {45, 371, 292, 207}, WAIT_READ, CALL_FD},
    {"recvmsg", {47, 372, 297, 212}, WAIT_READ, CALL_FD},
    {"recvmmsg", {299, 337, 365, 243}, WAIT_READ, CALL_FD},
    {"recvmmsg_time64", {-1, 417, 417, -1}, WAIT_READ, CALL_FD},
    {"mq_timedreceive", {243, 280, 277, 183}, WAIT_READ, CALL_FD},
    {"mq_timedreceive_time64", {-1, 419, 419, -1}, WAIT_READ, CALL_FD},

    {"write", {1, 4, 4, 64}, WAIT_WRITE, CALL_FD},
    {"writev", {20, 146, 146, 66}, WAIT_WRITE, CALL_FD},
    {"pwrite64", {18, 181, 181, 68}, WAIT_WRITE, CALL_FD},
    {"pwritev", {296, 334, 362, 70}, WAIT_WRITE, CALL_FD},
    {"pwritev2", {328, 379, 393, 287}, WAIT_WRITE, CALL_FD},
    {"send", {-1, -1, 289, -1}, WAIT_WRITE, CALL_FD},
    {"sendto", {44, 369, 290, 206}, WAIT_WRITE, CALL_FD},
    {"sendmsg", {46, 370, 296, 211}, WAIT_WRITE, CALL_FD},
    {"sendmmsg", {307, 345, 374, 269}, WAIT_WRITE, CALL_FD},
    {"sendfile", {40, 187, 187, 71}, WAIT_WRITE, CALL_FD},
    {"sendfile64", {-1, 239, 239, -1}, WAIT_WRITE, CALL_FD},
    {"mq_timedsend", {242, 279, 276, 182}, WAIT_WRITE, CALL_FD},
    {"mq_timedsend_time64", {-1, 418, 418, -1}, WAIT_WRITE, CALL_FD},

    {"accept", {43, -1, 285, 202}, WAIT_ACCEPT, CALL_FD},
    {"accept4", {288, 364, 366, 242}, WAIT_ACCEPT, CALL_FD},
    {"connect", {42, 362, 283, 203}, WAIT_CONNECT, CALL_FD},
    {"socketcall", {-1, 102, -1, -1}, WAIT_OTHER, CALL_SOCKET},

    {"poll", {7, 168, 168, -1}, WAIT_POLL, CALL_POLL},
    {"ppoll", {271, 309, 336, 73}, WAIT_POLL, CALL_POLL},
    {"ppoll_time64", {-1, 414, 414, -1}, WAIT_POLL, CALL_POLL},
    {"select", {23, -1, -1, -1}, WAIT_POLL, CALL_SELECT},
    {"_newselect", {-1, 142, 142, -1}, WAIT_POLL, CALL_SELECT},
    {"pselect6", {270, 308, 335, 72}, WAIT_POLL, CALL_SELECT},
    {"pselect6_time64", {-1, 413, 413, -1}, WAIT_POLL, CALL_SELECT},
    {"epoll_wait", {232, 256, 252, -1}, WAIT_POLL, CALL_FD},
    {"epoll_pwait", {281, 319, 346, 22}, WAIT_POLL, CALL_FD},
    {"epoll_pwait2", {441, 441, 441, 441}, WAIT_POLL, CALL_FD},

    {"flock", {73, 143, 143, 32}, WAIT_FILE_LOCK, CALL_FD},
    {"fcntl", {72, 55, 55, 25}, WAIT_FILE_LOCK, CALL_FCNTL},
    {"fcntl64", {-1, 221, 221, -1}, WAIT_FILE_LOCK, CALL_FCNTL},

    {"nanosleep", {35, 162, 162, 101}, WAIT_SLEEP, CALL_NO_OBJECT},
    {"clock_nanosleep", {230, 267, 265, 115}, WAIT_SLEEP, CALL_NO_OBJECT},
    {"clock_nanosleep_time64", {-1, 407, 407, -1}, WAIT_SLEEP, CALL_NO_OBJECT},
    {"pause", {34, 29, 29, -1}, WAIT_SLEEP, CALL_NO_OBJECT},

    {"wait4", {61, 114, 114, 260}, WAIT_CHILD, CALL_NO_OBJECT},
    {"waitid", {247, 284, 280, 95}, WAIT_CHILD, CALL_NO_OBJECT},
    {"waitpid", {-1, 7, -1, -1}, WAIT_CHILD, CALL_NO_OBJECT},

    {"rt_sigtimedwait", {128, 177, 177, 137}, WAIT_SIGNAL, CALL_NO_OBJECT},
    {"rt_sigtimedwait_time64", {-1, 421, 421, -1}, WAIT_SIGNAL, CALL_NO_OBJECT},
    {"rt_sigsuspend", {130, 179, 179, 133}, WAIT_SIGNAL, CALL_NO_OBJECT},
    {"sigsuspend", {-1, 72, 72, -1}, WAIT_SIGNAL, CALL_NO_OBJECT},
};

#define CALL_COUNT (sizeof(calls) / sizeof(calls[0]))

const struct wait_call *wait_call_at(size_t index)
{
    return index < CALL_COUNT ? &calls[index] : NULL;
}

const struct wait_call *wait_call_find(enum arch_id arch, int64_t number)
{
    for (size_t i = 0; number >= 0 && i < CALL_COUNT; i++)
        if (calls[i].numbers[arch] == number)
            return &calls[i];
    return NULL;
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
