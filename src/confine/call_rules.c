/* SPDX-License-Identifier: MIT */
#include "confine/call_rules.h"

#include <fcntl.h>
#include <linux/net.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "confine/call_filter.h"
#include "confine/call_numbers.h"

#ifndef PR_SET_VMA
#define PR_SET_VMA 0x53564d41
#endif

/* Flags that open to write, or make a file. O_TMPFILE includes the bit of O_DIRECTORY. */
#define OPENS_TO_WRITE                                                                             \
    ((uint32_t)(O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND | (O_TMPFILE & ~O_DIRECTORY)))
/* 0xff: a signal */
#define FORK_FLAGS ((uint32_t)(CLONE_CHILD_CLEARTID | CLONE_CHILD_SETTID | 0xff))
/* How newer C libraries ask for a terminal's modes, and set them. */
#define TCGETS2_GENERIC  0x802c542a
#define TCSETS2_GENERIC  0x402c542b
#define TCSETSW2_GENERIC 0x402c542c
#define TCSETSF2_GENERIC 0x402c542d

#define ONE_OF(i, ...)                                                                             \
    {                                                                                              \
        .kind = TEST_ONE_OF, .argument = (i), .values = (const uint32_t[]){__VA_ARGS__},           \
        .count = sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)                        \
    }
#define BITS(k, i, b)                                                                              \
    {                                                                                              \
        .kind = (k), .argument = (i), .bits = (b)                                                  \
    }
#define TEST(k, i)                                                                                 \
    {                                                                                              \
        .kind = (k), .argument = (i)                                                               \
    }

const struct call_rule call_rules[] = {
    /* The calls that are needed most come first. */
    {.call = SYS_read},
    {.call = SYS_write},
    {.call = SYS_mmap},
    {.call = SYS_mmap2},
    {.call = SYS_munmap},
    {.call = SYS_mprotect},
    {.call = SYS_mremap},
    {.call = SYS_madvise},
    {.call = SYS_brk},
    {.call = SYS_futex},
    {.call = SYS_futex_time64},
    {.call = SYS_pread64},
    {.call = SYS_close},
    {.call = SYS_close_range},
    {.call = SYS_fstat},
    {.call = SYS_fstat64},
    {.call = SYS_newfstatat},
    {.call = SYS_fstatat64},
    {.call = SYS_stat},
    {.call = SYS_stat64},
    {.call = SYS_lstat},
    {.call = SYS_lstat64},
    {.call = SYS_statx},
    {.call = SYS_access},
    {.call = SYS_faccessat},
    {.call = SYS_faccessat2},
    {.call = SYS_readlink},
    {.call = SYS_readlinkat},
    {.call = SYS_lseek},
    {.call = SYS__llseek},
    {.call = SYS_readv},
    {.call = SYS_writev},
    {.call = SYS_pwrite64},
    /* Other files and memory. */
    {.call = SYS_getdents},
    {.call = SYS_getdents64},
    {.call = SYS_getcwd},
    {.call = SYS_statfs},
    {.call = SYS_statfs64},
    {.call = SYS_fstatfs},
    {.call = SYS_fstatfs64},
    {.call = SYS_ftruncate},
    {.call = SYS_ftruncate64},
    {.call = SYS_fadvise64},
    {.call = SYS_fadvise64_64},
    {.call = SYS_arm_fadvise64_64},
    {.call = SYS_msync},
    {.call = SYS_mincore},
    /* Time, the machine. */
    {.call = SYS_clock_gettime},
    {.call = SYS_clock_gettime64},
    {.call = SYS_clock_getres},
    {.call = SYS_clock_getres_time64},
    {.call = SYS_clock_nanosleep},
    {.call = SYS_clock_nanosleep_time64},
    {.call = SYS_nanosleep},
    {.call = SYS_gettimeofday},
    {.call = SYS_time},
    {.call = SYS_times},
    {.call = SYS_getrusage},
    {.call = SYS_sysinfo},
    {.call = SYS_uname},
    {.call = SYS_getrandom},
    /* Signals, threads, this process. */
    {.call = SYS_rt_sigaction},
    {.call = SYS_rt_sigprocmask},
    {.call = SYS_rt_sigreturn},
    {.call = SYS_sigreturn},
    {.call = SYS_sigprocmask},
    {.call = SYS_sigaltstack},
    {.call = SYS_restart_syscall},
    {.call = SYS_exit},
    {.call = SYS_exit_group},
    {.call = SYS_set_robust_list},
    {.call = SYS_get_robust_list},
    {.call = SYS_rseq},
    {.call = SYS_set_tid_address},
    {.call = SYS_membarrier},
    {.call = SYS_sched_yield},
    {.call = SYS_sched_getaffinity},
    {.call = SYS_getcpu},
    {.call = SYS_getpgid},
    {.call = SYS_getpgrp},
    {.call = SYS_getpid},
    {.call = SYS_getppid},
    {.call = SYS_gettid},
    {.call = SYS_getuid},
    {.call = SYS_geteuid},
    {.call = SYS_getgid},
    {.call = SYS_getegid},
    {.call = SYS_getuid32},
    {.call = SYS_geteuid32},
    {.call = SYS_getgid32},
    {.call = SYS_getegid32},
    {.call = SYS_getresuid},
    {.call = SYS_getresgid},
    {.call = SYS_getresuid32},
    {.call = SYS_getresgid32},
    {.call = SYS_getgroups},
    {.call = SYS_getgroups32},
    {.call = SYS_sched_getparam},
    {.call = SYS_sched_getscheduler},
    {.call = SYS_sched_getattr},
    {.call = SYS_getpriority},
    {.call = SYS_getrlimit},
    {.call = SYS_ugetrlimit},
    /* Pipes and children. */
    {.call = SYS_poll},
    {.call = SYS_ppoll},
    {.call = SYS_ppoll_time64},
    {.call = SYS_select},
    {.call = SYS__newselect},
    {.call = SYS_pselect6},
    {.call = SYS_pselect6_time64},
    {.call = SYS_dup},
    {.call = SYS_dup2},
    {.call = SYS_dup3},
    {.call = SYS_pipe},
    {.call = SYS_pipe2},
    {.call = SYS_eventfd2},
    {.call = SYS_wait4},
    {.call = SYS_waitpid},
    {.call = SYS_waitid},
    {.call = SYS_arch_prctl},
    {.call = SYS_set_thread_area},
    /* Open files to read; files to write are open already, or opened by opener.h. */
    {.call = SYS_openat, .tests = {BITS(TEST_WITHOUT, 2, OPENS_TO_WRITE)}},
    {.call = SYS_open, .tests = {BITS(TEST_WITHOUT, 1, OPENS_TO_WRITE)}},
    {.call = SYS_openat2, .unknown = true}, /* its flags are in memory, which filters do not see */
    /* Read a terminal's modes; for cgtop set them. No typing into it (TIOCSTI). */
    {.call = SYS_ioctl,
     .tests = {ONE_OF(1, TCGETS, TCGETS2_GENERIC, TIOCGWINSZ, TIOCGPGRP, FIONREAD)}},
    {.call = SYS_ioctl,
     .groups = CALLS_TERMINAL,
     .tests = {ONE_OF(1, TCSETS, TCSETSW, TCSETSF, TCSETS2_GENERIC, TCSETSW2_GENERIC,
                      TCSETSF2_GENERIC, TCFLSH, TCXONC)}},
    /* Not F_SETOWN, which says whom a descriptor sends signals to; O_ASYNC has it send them. */
    {.call = SYS_fcntl, .tests = {ONE_OF(1, F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL)}},
    {.call = SYS_fcntl, .tests = {ONE_OF(1, F_SETFL), BITS(TEST_WITHOUT, 2, O_ASYNC)}},
    {.call = SYS_fcntl64,
     .tests = {ONE_OF(1, F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL)}},
    {.call = SYS_fcntl64, .tests = {ONE_OF(1, F_SETFL), BITS(TEST_WITHOUT, 2, O_ASYNC)}},
    /* For regular reports of progress. */
    {.call = SYS_setitimer, .tests = {ONE_OF(0, ITIMER_REAL)}},
    /* Reads limits. */
    {.call = SYS_prlimit64, .tests = {TEST(TEST_SELF, 0), TEST(TEST_NULL, 2)}},
    /* Names of threads, and of malloc's memory. */
    {.call = SYS_prctl, .tests = {ONE_OF(0, PR_SET_NAME, PR_SET_VMA)}},
    /* Threads. clone3 keeps its flags in memory; without it clone is used. */
    {.call = SYS_clone, .tests = {BITS(TEST_HAS, 0, CLONE_THREAD)}},
    {.call = SYS_clone3, .unknown = true},
    /* abort() */
    {.call = SYS_tgkill, .tests = {TEST(TEST_SELF, 0)}},
    /* Children, their ends, and how they confine themselves. */
    {.call = SYS_clone, .groups = CALLS_DRAWING, .tests = {BITS(TEST_ONLY, 0, FORK_FLAGS)}},
    {.call = SYS_fork, .groups = CALLS_DRAWING},
    {.call = SYS_kill, .groups = CALLS_DRAWING},
    {.call = SYS_tgkill, .groups = CALLS_DRAWING},
    {.call = SYS_prctl,
     .groups = CALLS_DRAWING,
     .tests = {ONE_OF(0, PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP)}},
    {.call = SYS_prlimit64, .groups = CALLS_DRAWING, .tests = {TEST(TEST_SELF, 0)}},
    {.call = SYS_setrlimit, .groups = CALLS_DRAWING},
    {.call = SYS_capget, .groups = CALLS_DRAWING},
    {.call = SYS_capset, .groups = CALLS_DRAWING},
    {.call = SYS_seccomp, .groups = CALLS_DRAWING},
    {.call = SYS_landlock_create_ruleset, .groups = CALLS_DRAWING},
    {.call = SYS_landlock_add_rule, .groups = CALLS_DRAWING},
    {.call = SYS_landlock_restrict_self, .groups = CALLS_DRAWING},
    /* Graphviz's program, in the process that draws. */
    {.call = SYS_execve, .groups = CALLS_RUN},
    /*
     * No listening, accepting, or changing of a socket. What is sent goes to the peer: without an
     * address, which would connect an unconnected socket (with MSG_FASTOPEN). On i386 the arguments
     * are in memory: only send, which has no address.
     */
    {.call = SYS_send, .groups = CALLS_FILES | CALLS_SEND},
    {.call = SYS_sendto,
     .groups = CALLS_FILES | CALLS_SEND,
     .tests = {BITS(TEST_ONLY, 3, MSG_NOSIGNAL | MSG_DONTWAIT), TEST(TEST_NULL, 4)}},
    {.call = SYS_socketcall, .groups = CALLS_FILES | CALLS_SEND, .tests = {ONE_OF(0, SYS_SEND)}},
    {.call = SYS_recvmsg, .groups = CALLS_FILES},
    {.call = SYS_socketcall, .groups = CALLS_FILES, .tests = {ONE_OF(0, SYS_RECVMSG)}},
};
const size_t call_rule_count = sizeof(call_rules) / sizeof(call_rules[0]);

/* On i386 mmap has its arguments in memory, mmap2 has not. */
#define MMAP (SYS_mmap2 >= 0 ? SYS_mmap2 : SYS_mmap)

const struct call_rule call_helper_rules[] = {
    {.call = SYS_read, .tests = {TEST(TEST_IN, 0)}},
    {.call = SYS_write, .tests = {TEST(TEST_OUT, 0)}},
    /* Private memory, without code. */
    {.call = MMAP, .tests = {BITS(TEST_WITHOUT, 2, PROT_EXEC), BITS(TEST_HAS, 3, MAP_ANONYMOUS)}},
    {.call = SYS_mprotect, .tests = {BITS(TEST_WITHOUT, 2, PROT_EXEC)}},
    {.call = SYS_munmap},
    {.call = SYS_mremap},
    {.call = SYS_madvise},
    {.call = SYS_brk},
    /* Expat's hash tables have a seed; the C library ends a program that cannot get one. */
    {.call = SYS_getrandom},
    {.call = SYS_clock_gettime},
    {.call = SYS_clock_gettime64},
    {.call = SYS_exit_group},
    {.call = SYS_exit},
    {.call = SYS_futex},
    {.call = SYS_futex_time64},
    {.call = SYS_restart_syscall},
    {.call = SYS_rt_sigreturn},
    {.call = SYS_sigreturn},
};
const size_t call_helper_rule_count = sizeof(call_helper_rules) / sizeof(call_helper_rules[0]);
