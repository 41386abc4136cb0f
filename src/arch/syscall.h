/* SPDX-License-Identifier: MIT */
/*
 * The system calls that this project knows, and their properties, for all its parts: capture (which
 * waits have an object whose state is captured, which calls fail after a stop), the recogniser of
 * waits, signal frames, and where threads begin and end. Each architecture has a table of their
 * numbers (arch/<name>/syscalls.c, from asm/unistd.h).
 *
 * To add a call: a line in SYSCALL_LIST, and its number in each architecture's table.
 */
#ifndef ARCH_SYSCALL_H
#define ARCH_SYSCALL_H

#include <stdbool.h>
#include <stdint.h>

/* The way in which a system call's arguments name the object that the call waits for. */
enum syscall_form {
    FORM_NO_OBJECT,
    FORM_FUTEX,   /* futex(word, operation, value, ...) */
    FORM_FUTEX_2, /* futex_wait(word, value, mask, flags, ...) */
    FORM_FUTEX_V, /* futex_waitv(list, ...) */
    FORM_FD,      /* the first argument is a descriptor */
    FORM_FCNTL,   /* the first argument is a descriptor, if the second is a command that waits */
    FORM_POLL,    /* poll(list, count, ...) */
    FORM_SELECT,  /* select(count, read, write, except, ...) */
    FORM_SOCKET,  /* socketcall(call, arguments): arguments[0] is the descriptor */
    FORM_RESTART, /* restart_syscall: continues another call, which only the call chain tells */
};

#define CALL_EINTR    1u /* the call may fail with EINTR after a stop without signal: signal(7) */
#define CALL_CAPTURED 2u /* capture records the state of the object that the call waits for */
#define CALL_RESTARTS 4u /* after a stop, a call with a timeout continues as restart_syscall */

/* Calls X(identifier, name, FORM_... without prefix, CALL_... flags) for each system call. */
#define SYSCALL_LIST(X)                                                                            \
    X(FUTEX, "futex", FUTEX, CALL_CAPTURED | CALL_RESTARTS)                                        \
    X(FUTEX_TIME64, "futex_time64", FUTEX, CALL_CAPTURED | CALL_RESTARTS)                          \
    X(FUTEX_WAITV, "futex_waitv", FUTEX_V, 0)                                                      \
    X(FUTEX_WAIT, "futex_wait", FUTEX_2, 0)                                                        \
    X(RESTART_SYSCALL, "restart_syscall", RESTART, CALL_RESTARTS)                                  \
    X(READ, "read", FD, CALL_EINTR | CALL_CAPTURED)                                                \
    X(READV, "readv", FD, CALL_EINTR | CALL_CAPTURED)                                              \
    X(PREAD64, "pread64", FD, CALL_CAPTURED)                                                       \
    X(PREADV, "preadv", FD, CALL_CAPTURED)                                                         \
    X(PREADV2, "preadv2", FD, CALL_CAPTURED)                                                       \
    X(RECV, "recv", FD, CALL_EINTR | CALL_CAPTURED)                                                \
    X(RECVFROM, "recvfrom", FD, CALL_EINTR | CALL_CAPTURED)                                        \
    X(RECVMSG, "recvmsg", FD, CALL_EINTR | CALL_CAPTURED)                                          \
    X(RECVMMSG, "recvmmsg", FD, CALL_EINTR | CALL_CAPTURED)                                        \
    X(RECVMMSG_TIME64, "recvmmsg_time64", FD, CALL_EINTR | CALL_CAPTURED)                          \
    X(MQ_TIMEDRECEIVE, "mq_timedreceive", FD, 0)                                                   \
    X(MQ_TIMEDRECEIVE_TIME64, "mq_timedreceive_time64", FD, 0)                                     \
    X(WRITE, "write", FD, CALL_EINTR | CALL_CAPTURED)                                              \
    X(WRITEV, "writev", FD, CALL_EINTR | CALL_CAPTURED)                                            \
    X(PWRITE64, "pwrite64", FD, CALL_CAPTURED)                                                     \
    X(PWRITEV, "pwritev", FD, CALL_CAPTURED)                                                       \
    X(PWRITEV2, "pwritev2", FD, CALL_CAPTURED)                                                     \
    X(SEND, "send", FD, CALL_EINTR | CALL_CAPTURED)                                                \
    X(SENDTO, "sendto", FD, CALL_EINTR | CALL_CAPTURED)                                            \
    X(SENDMSG, "sendmsg", FD, CALL_EINTR | CALL_CAPTURED)                                          \
    X(SENDMMSG, "sendmmsg", FD, CALL_EINTR | CALL_CAPTURED)                                        \
    X(SENDFILE, "sendfile", FD, 0)                                                                 \
    X(SENDFILE64, "sendfile64", FD, 0)                                                             \
    X(MQ_TIMEDSEND, "mq_timedsend", FD, 0)                                                         \
    X(MQ_TIMEDSEND_TIME64, "mq_timedsend_time64", FD, 0)                                           \
    X(ACCEPT, "accept", FD, CALL_EINTR | CALL_CAPTURED)                                            \
    X(ACCEPT4, "accept4", FD, CALL_EINTR | CALL_CAPTURED)                                          \
    X(CONNECT, "connect", FD, CALL_EINTR | CALL_CAPTURED)                                          \
    X(SOCKETCALL, "socketcall", SOCKET, CALL_EINTR | CALL_CAPTURED)                                \
    X(POLL, "poll", POLL, CALL_CAPTURED | CALL_RESTARTS)                                           \
    X(PPOLL, "ppoll", POLL, CALL_CAPTURED)                                                         \
    X(PPOLL_TIME64, "ppoll_time64", POLL, CALL_CAPTURED)                                           \
    X(SELECT, "select", SELECT, CALL_CAPTURED)                                                     \
    X(NEWSELECT, "_newselect", SELECT, CALL_CAPTURED)                                              \
    X(PSELECT6, "pselect6", SELECT, CALL_CAPTURED)                                                 \
    X(PSELECT6_TIME64, "pselect6_time64", SELECT, CALL_CAPTURED)                                   \
    X(EPOLL_WAIT, "epoll_wait", FD, CALL_EINTR | CALL_CAPTURED)                                    \
    X(EPOLL_PWAIT, "epoll_pwait", FD, CALL_EINTR | CALL_CAPTURED)                                  \
    X(EPOLL_PWAIT2, "epoll_pwait2", FD, CALL_EINTR | CALL_CAPTURED)                                \
    X(FLOCK, "flock", FD, CALL_CAPTURED)                                                           \
    X(FCNTL, "fcntl", FCNTL, CALL_CAPTURED)                                                        \
    X(FCNTL64, "fcntl64", FCNTL, CALL_CAPTURED)                                                    \
    X(NANOSLEEP, "nanosleep", NO_OBJECT, CALL_RESTARTS)                                            \
    X(CLOCK_NANOSLEEP, "clock_nanosleep", NO_OBJECT, CALL_RESTARTS)                                \
    X(CLOCK_NANOSLEEP_TIME64, "clock_nanosleep_time64", NO_OBJECT, CALL_RESTARTS)                  \
    X(PAUSE, "pause", NO_OBJECT, 0)                                                                \
    X(WAIT4, "wait4", NO_OBJECT, 0)                                                                \
    X(WAITID, "waitid", NO_OBJECT, 0)                                                              \
    X(WAITPID, "waitpid", NO_OBJECT, 0)                                                            \
    X(RT_SIGTIMEDWAIT, "rt_sigtimedwait", NO_OBJECT, CALL_EINTR)                                   \
    X(RT_SIGTIMEDWAIT_TIME64, "rt_sigtimedwait_time64", NO_OBJECT, CALL_EINTR)                     \
    X(RT_SIGSUSPEND, "rt_sigsuspend", NO_OBJECT, 0)                                                \
    X(SIGSUSPEND, "sigsuspend", NO_OBJECT, 0)                                                      \
    X(SEMOP, "semop", NO_OBJECT, CALL_EINTR)                                                       \
    X(IO_GETEVENTS, "io_getevents", NO_OBJECT, CALL_EINTR)                                         \
    X(SEMTIMEDOP, "semtimedop", NO_OBJECT, CALL_EINTR)                                             \
    X(IO_URING_ENTER, "io_uring_enter", NO_OBJECT, CALL_EINTR)                                     \
    X(IOCTL, "ioctl", FD, CALL_CAPTURED)                                                           \
    X(IPC, "ipc", NO_OBJECT, CALL_EINTR)                                                           \
    X(SEMTIMEDOP_TIME64, "semtimedop_time64", NO_OBJECT, CALL_EINTR)                               \
    X(CLONE, "clone", NO_OBJECT, 0)                                                                \
    X(EXIT, "exit", NO_OBJECT, 0)                                                                  \
    X(SIGRETURN, "sigreturn", NO_OBJECT, 0)                                                        \
    X(RT_SIGRETURN, "rt_sigreturn", NO_OBJECT, 0)

#define SYSCALL_ID(id, name, form, flags) CALL_##id,
enum syscall { SYSCALL_LIST(SYSCALL_ID) CALL_COUNT };
#undef SYSCALL_ID

/*
 * An architecture's system call numbers: of[enum syscall] is NR(number), or NR_NONE: no such call.
 */
#define NR(number) ((number) + 1)
#define NR_NONE    UINT16_MAX
struct syscall_numbers {
    uint16_t of[CALL_COUNT];
};

/* Returns the number of `call`; -1: the architecture has no such call. */
static inline int syscall_number(const struct syscall_numbers *numbers, enum syscall call)
{
    return numbers->of[call] == NR_NONE ? -1 : numbers->of[call] - 1;
}

/* Returns the call with this number; CALL_COUNT: the number of no call in SYSCALL_LIST. */
enum syscall syscall_find(const struct syscall_numbers *numbers, int64_t number);

/* Return the form and the CALL_... flags of `call`; CALL_COUNT has FORM_NO_OBJECT and no flags. */
enum syscall_form syscall_form(enum syscall call);
unsigned syscall_flags(enum syscall call);

#endif
