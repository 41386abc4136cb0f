/* SPDX-License-Identifier: MIT */
/* Defines SYS_... as -1 for system calls that this architecture, or the system's headers, lack. */
#ifndef CONFINE_CALL_NUMBERS_H
#define CONFINE_CALL_NUMBERS_H

#include <sys/syscall.h>

#ifndef SYS__llseek
#define SYS__llseek (-1)
#endif
#ifndef SYS__newselect
#define SYS__newselect (-1)
#endif
#ifndef SYS_access
#define SYS_access (-1)
#endif
#ifndef SYS_arch_prctl
#define SYS_arch_prctl (-1)
#endif
#ifndef SYS_arm_fadvise64_64
#define SYS_arm_fadvise64_64 (-1)
#endif
#ifndef SYS_clock_getres_time64
#define SYS_clock_getres_time64 (-1)
#endif
#ifndef SYS_clock_gettime64
#define SYS_clock_gettime64 (-1)
#endif
#ifndef SYS_clock_nanosleep_time64
#define SYS_clock_nanosleep_time64 (-1)
#endif
#ifndef SYS_clone3
#define SYS_clone3 (-1)
#endif
#ifndef SYS_dup2
#define SYS_dup2 (-1)
#endif
#ifndef SYS_faccessat2
#define SYS_faccessat2 (-1)
#endif
#ifndef SYS_fadvise64
#define SYS_fadvise64 (-1)
#endif
#ifndef SYS_fadvise64_64
#define SYS_fadvise64_64 (-1)
#endif
#ifndef SYS_fcntl64
#define SYS_fcntl64 (-1)
#endif
#ifndef SYS_fork
#define SYS_fork (-1)
#endif
#ifndef SYS_fstat64
#define SYS_fstat64 (-1)
#endif
#ifndef SYS_fstatat64
#define SYS_fstatat64 (-1)
#endif
#ifndef SYS_fstatfs64
#define SYS_fstatfs64 (-1)
#endif
#ifndef SYS_ftruncate64
#define SYS_ftruncate64 (-1)
#endif
#ifndef SYS_futex_time64
#define SYS_futex_time64 (-1)
#endif
#ifndef SYS_getdents
#define SYS_getdents (-1)
#endif
#ifndef SYS_getegid32
#define SYS_getegid32 (-1)
#endif
#ifndef SYS_geteuid32
#define SYS_geteuid32 (-1)
#endif
#ifndef SYS_getgid32
#define SYS_getgid32 (-1)
#endif
#ifndef SYS_getpgrp
#define SYS_getpgrp (-1)
#endif
#ifndef SYS_getrlimit
#define SYS_getrlimit (-1)
#endif
#ifndef SYS_getuid32
#define SYS_getuid32 (-1)
#endif
#ifndef SYS_lstat
#define SYS_lstat (-1)
#endif
#ifndef SYS_lstat64
#define SYS_lstat64 (-1)
#endif
#ifndef SYS_mmap
#define SYS_mmap (-1)
#endif
#ifndef SYS_mmap2
#define SYS_mmap2 (-1)
#endif
#ifndef SYS_newfstatat
#define SYS_newfstatat (-1)
#endif
#ifndef SYS_open
#define SYS_open (-1)
#endif
#ifndef SYS_openat2
#define SYS_openat2 (-1)
#endif
#ifndef SYS_pipe
#define SYS_pipe (-1)
#endif
#ifndef SYS_poll
#define SYS_poll (-1)
#endif
#ifndef SYS_ppoll_time64
#define SYS_ppoll_time64 (-1)
#endif
#ifndef SYS_pselect6_time64
#define SYS_pselect6_time64 (-1)
#endif
#ifndef SYS_readlink
#define SYS_readlink (-1)
#endif
#ifndef SYS_rseq
#define SYS_rseq (-1)
#endif
#ifndef SYS_select
#define SYS_select (-1)
#endif
#ifndef SYS_send
#define SYS_send (-1)
#endif
#ifndef SYS_set_thread_area
#define SYS_set_thread_area (-1)
#endif
#ifndef SYS_sigprocmask
#define SYS_sigprocmask (-1)
#endif
#ifndef SYS_sigreturn
#define SYS_sigreturn (-1)
#endif
#ifndef SYS_socketcall
#define SYS_socketcall (-1)
#endif
#ifndef SYS_stat
#define SYS_stat (-1)
#endif
#ifndef SYS_stat64
#define SYS_stat64 (-1)
#endif
#ifndef SYS_statfs64
#define SYS_statfs64 (-1)
#endif
#ifndef SYS_statx
#define SYS_statx (-1)
#endif
#ifndef SYS_time
#define SYS_time (-1)
#endif
#ifndef SYS_ugetrlimit
#define SYS_ugetrlimit (-1)
#endif
#ifndef SYS_waitpid
#define SYS_waitpid (-1)
#endif
#ifndef SYS_getgroups32
#define SYS_getgroups32 (-1)
#endif
#ifndef SYS_getresgid32
#define SYS_getresgid32 (-1)
#endif
#ifndef SYS_getresuid32
#define SYS_getresuid32 (-1)
#endif

/* Landlock's numbers, which are the same on all architectures. */
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule       445
#define SYS_landlock_restrict_self  446
#endif

#endif
