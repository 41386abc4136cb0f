/* SPDX-License-Identifier: MIT */
#include "confine/call_filter.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/net.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "confine/call_list.h"
#include "confine/call_numbers.h"
#include "confine/sanitizer.h"

#ifndef PR_SET_VMA
#define PR_SET_VMA 0x53564d41 /* malloc names its memory by it */
#endif

#define PROGRAM_MAX 512
#define DENIED      (SECCOMP_RET_ERRNO | EPERM)
#define UNKNOWN     (SECCOMP_RET_ERRNO | ENOSYS)
#define NEWEST_CALL 450 /* of Linux 6.1 */

/* What opens to write, or makes a file. O_TMPFILE has the bit of O_DIRECTORY besides its own. */
#define OPENS_TO_WRITE                                                                             \
    ((uint32_t)(O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND | (O_TMPFILE & ~O_DIRECTORY)))
/* 0xff: a signal. */
#define FORK_FLAGS ((uint32_t)(CLONE_CHILD_CLEARTID | CLONE_CHILD_SETTID | 0xff))
/* The other way of newer C libraries to ask for a terminal, and to set it. */
#define TCGETS2_GENERIC  0x802c542a
#define TCSETS2_GENERIC  0x402c542b
#define TCSETSW2_GENERIC 0x402c542c
#define TCSETSF2_GENERIC 0x402c542d

struct call_program {
    struct sock_filter code[PROGRAM_MAX];
    unsigned short len;
};

static void emit(struct call_program *p, unsigned code, uint32_t k, unsigned yes, unsigned no)
{
    p->code[p->len++] = (struct sock_filter)BPF_JUMP((uint16_t)code, k, (uint8_t)yes, (uint8_t)no);
}

static void answer(struct call_program *p, uint32_t action)
{
    emit(p, BPF_RET | BPF_K, action, 0, 0);
}

/* The lower half of an argument: all are int, or flags of which the kernel looks at no more. */
static void load_argument(struct call_program *p, unsigned i)
{
    const uint32_t low = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? sizeof(uint32_t) : 0;

    emit(p, BPF_LD | BPF_W | BPF_ABS,
         (uint32_t)(offsetof(struct seccomp_data, args) + i * sizeof(uint64_t)) + low, 0, 0);
}

static void answer_call(struct call_program *p, long call, uint32_t action)
{
    if (call < 0)
        return;
    emit(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 1);
    answer(p, action);
}

/* Denied where the argument has one of these bits. */
static void forbid_bits(struct call_program *p, long call, unsigned argument, uint32_t bits)
{
    if (call < 0)
        return;
    emit(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 4);
    load_argument(p, argument);
    emit(p, BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1);
    answer(p, DENIED);
    answer(p, SECCOMP_RET_ALLOW);
}

/* Denied unless the argument is one of these. */
static void permit_values(struct call_program *p, long call, unsigned argument,
                          const uint32_t *values, unsigned count)
{
    if (call < 0)
        return;
    emit(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, count + 3);
    load_argument(p, argument);
    for (unsigned i = 0; i < count; i++)
        emit(p, BPF_JMP | BPF_JEQ | BPF_K, values[i], count - i, 0);
    answer(p, DENIED);
    answer(p, SECCOMP_RET_ALLOW);
}

#define PERMIT_VALUES(p, call, argument, ...)                                                      \
    permit_values(p, call, argument, (const uint32_t[]){__VA_ARGS__},                              \
                  sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

/*
 * Threads, and processes where they are needed. clone3 keeps its flags where no filter sees them;
 * without it clone is used.
 */
static void filter_clone(struct call_program *p, unsigned groups)
{
    answer_call(p, SYS_clone3, UNKNOWN);
    emit(p, BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, groups & CALLS_DRAWING ? 5 : 4);
    load_argument(p, 0);
    if (groups & CALLS_DRAWING) {
        emit(p, BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 2, 0);
        emit(p, BPF_JMP | BPF_JSET | BPF_K, ~FORK_FLAGS, 0, 1);
    } else {
        emit(p, BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0);
    }
    answer(p, DENIED);
    answer(p, SECCOMP_RET_ALLOW);
}

/* On i386 the calls of sockets are one, with the one that is meant as its first argument. */
static void filter_sockets(struct call_program *p, unsigned groups)
{
    uint32_t calls[8] = {SYS_SHUTDOWN};
    unsigned count = 1;

    answer_call(p, SYS_shutdown, SECCOMP_RET_ALLOW);
    if (groups & (CALLS_FILES | CALLS_SEND)) {
        answer_call(p, SYS_send, SECCOMP_RET_ALLOW);
        answer_call(p, SYS_sendto, SECCOMP_RET_ALLOW);
        calls[count++] = SYS_SEND;
        calls[count++] = SYS_SENDTO;
    }
    if (groups & CALLS_FILES) {
        answer_call(p, SYS_recvmsg, SECCOMP_RET_ALLOW);
        calls[count++] = SYS_RECVMSG;
    }
    if (groups & CALLS_ACCEPT) {
        answer_call(p, SYS_accept4, SECCOMP_RET_ALLOW);
        answer_call(p, SYS_setsockopt, SECCOMP_RET_ALLOW);
        answer_call(p, SYS_getsockopt, SECCOMP_RET_ALLOW);
        calls[count++] = SYS_ACCEPT4;
        calls[count++] = SYS_SETSOCKOPT;
        calls[count++] = SYS_GETSOCKOPT;
    }
    permit_values(p, SYS_socketcall, 0, calls, count);
}

/* The child, its end, and what it confines itself by. */
static void filter_drawing(struct call_program *p, unsigned groups)
{
    static const long drawing[] = {SYS_fork,
                                   SYS_kill,
                                   SYS_tgkill,
                                   SYS_capget,
                                   SYS_capset,
                                   SYS_seccomp,
                                   SYS_landlock_create_ruleset,
                                   SYS_landlock_add_rule,
                                   SYS_landlock_restrict_self};

    if (groups & CALLS_DRAWING)
        for (size_t i = 0; i < sizeof(drawing) / sizeof(drawing[0]); i++)
            answer_call(p, drawing[i], SECCOMP_RET_ALLOW);
    else /* abort() */
        PERMIT_VALUES(p, SYS_tgkill, 0, (uint32_t)getpid());
    PERMIT_VALUES(p, SYS_prctl, 0, PR_SET_NAME, PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS, PR_SET_VMA,
                  groups & CALLS_DRAWING ? PR_SET_SECCOMP : PR_SET_NAME);
}

static void filter_arguments(struct call_program *p, unsigned groups)
{
    forbid_bits(p, SYS_openat, 2, OPENS_TO_WRITE);
    forbid_bits(p, SYS_open, 1, OPENS_TO_WRITE);
    answer_call(p, SYS_openat2, groups & CALLS_IN_ROOT ? SECCOMP_RET_ALLOW : UNKNOWN);
    /* Not those that type into a terminal. */
    if (groups & CALLS_TERMINAL)
        PERMIT_VALUES(p, SYS_ioctl, 1, TCGETS, TCGETS2_GENERIC, TIOCGWINSZ, TIOCGPGRP, FIONREAD,
                      TCSETS, TCSETSW, TCSETSF, TCSETS2_GENERIC, TCSETSW2_GENERIC, TCSETSF2_GENERIC,
                      TCFLSH, TCXONC);
    else
        PERMIT_VALUES(p, SYS_ioctl, 1, TCGETS, TCGETS2_GENERIC, TIOCGWINSZ, TIOCGPGRP, FIONREAD);
    PERMIT_VALUES(p, SYS_fcntl, 1, F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL);
    PERMIT_VALUES(p, SYS_fcntl64, 1, F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL);
    PERMIT_VALUES(p, SYS_prlimit64, 0, 0, (uint32_t)getpid());
    if (groups & CALLS_RUN)
        answer_call(p, SYS_execve, SECCOMP_RET_ALLOW);
    filter_clone(p, groups);
    filter_sockets(p, groups);
    filter_drawing(p, groups);
}

/*
 * The architecture's number is in the ELF header of this very program, so that nothing here depends
 * on it: AUDIT_ARCH_* is e_machine and two bits. What comes by another table of calls, like int
 * 0x80 of a 64-bit program, is denied.
 */
extern const Elf64_Ehdr __ehdr_start __attribute__((visibility("hidden")));

static uint32_t audit_architecture(void)
{
    uint32_t number = __ehdr_start.e_machine; /* at the same place in files of both classes */

    if (__ehdr_start.e_ident[EI_CLASS] == ELFCLASS64)
        number |= __AUDIT_ARCH_64BIT;
    if (__ehdr_start.e_ident[EI_DATA] == ELFDATA2LSB)
        number |= __AUDIT_ARCH_LE;
    return number;
}

/* How many of the list are permitted behind this one, and a jump. */
static unsigned plain_after(size_t i)
{
    unsigned count = 1;

    while (++i < call_list_count)
        count += call_list[i] >= 0;
    return count;
}

static void make_program(struct call_program *p, unsigned groups)
{
    emit(p, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch), 0, 0);
    emit(p, BPF_JMP | BPF_JEQ | BPF_K, audit_architecture(), 1, 0);
    answer(p, DENIED);
    emit(p, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr), 0, 0);
    /* One instruction each, as a jump reaches 255. */
    for (size_t i = 0; i < call_list_count; i++)
        if (call_list[i] >= 0)
            emit(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call_list[i], plain_after(i), 0);
    emit(p, BPF_JMP | BPF_JA, 1, 0, 0);
    answer(p, SECCOMP_RET_ALLOW);
    filter_arguments(p, groups);
    emit(p, BPF_JMP | BPF_JGT | BPF_K, NEWEST_CALL, 0, 1);
    answer(p, UNKNOWN);
    answer(p, DENIED);
}

static int install(struct call_program *program)
{
    const struct sock_fprog filter = {.len = program->len, .filter = program->code};

    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) == 0 ? 0 : errno;
}

int call_filter_install(unsigned groups)
{
    struct call_program program = {.len = 0};

    if (SANITIZED)
        return 0;
    make_program(&program, groups);
    return install(&program);
}

/* Memory of a process's own, and nothing to be executed in it. */
static void permit_memory(struct call_program *p)
{
    /* Where there are both (i386) mmap has its arguments in memory, where no filter sees them. */
    const long map = SYS_mmap2 >= 0 ? SYS_mmap2 : SYS_mmap;

    emit(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)map, 0, 6);
    load_argument(p, 2);
    emit(p, BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 2, 0);
    load_argument(p, 3);
    emit(p, BPF_JMP | BPF_JSET | BPF_K, MAP_ANONYMOUS, 1, 0);
    answer(p, DENIED);
    answer(p, SECCOMP_RET_ALLOW);
    forbid_bits(p, SYS_mprotect, 2, PROT_EXEC);
    answer_call(p, SYS_munmap, SECCOMP_RET_ALLOW);
    answer_call(p, SYS_mremap, SECCOMP_RET_ALLOW);
    answer_call(p, SYS_madvise, SECCOMP_RET_ALLOW);
    answer_call(p, SYS_brk, SECCOMP_RET_ALLOW);
}

int call_filter_install_helper(int in, int out)
{
    static const long others[] = {SYS_clock_gettime,   SYS_clock_gettime64,
                                  SYS_exit_group,      SYS_exit,
                                  SYS_futex,           SYS_futex_time64,
                                  SYS_restart_syscall, SYS_rt_sigreturn,
                                  SYS_sigreturn};
    struct call_program program = {.len = 0}, *p = &program;

    if (SANITIZED)
        return 0;
    emit(p, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch), 0, 0);
    emit(p, BPF_JMP | BPF_JEQ | BPF_K, audit_architecture(), 1, 0);
    answer(p, DENIED);
    emit(p, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr), 0, 0);
    PERMIT_VALUES(p, SYS_read, 0, (uint32_t)in);
    PERMIT_VALUES(p, SYS_write, 0, (uint32_t)out);
    permit_memory(p);
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        answer_call(p, others[i], SECCOMP_RET_ALLOW);
    answer(p, DENIED);
    return install(p);
}
