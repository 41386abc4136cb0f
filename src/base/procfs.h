/* SPDX-License-Identifier: MIT */
/*
 * The files of /proc that capture reads: parsers of their text, and reading a small file whole. See
 * proc(5).
 *
 * Parsers take text that need not be NUL-terminated and return false, leaving the output as it was,
 * when the text is not what the kernel is known to write.
 */
#ifndef BASE_PROCFS_H
#define BASE_PROCFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/status.h"

#define PROC_NAME_SIZE 16 /* the kernel's TASK_COMM_LEN, NUL included */

/* /proc/PID/stat */
struct proc_stat {
    char name[PROC_NAME_SIZE];
    char state;
    uint32_t parent_pid;
    uint32_t flags;       /* PF_… */
    uint64_t cpu_ticks;   /* clock ticks on a CPU, user and system */
    uint64_t start_ticks; /* clock ticks since boot */
    int cpu;              /* that it runs on, or ran on last; -1: not told */
};
MUST_CHECK bool proc_parse_stat(const char *text, size_t size, struct proc_stat *out);

/* /proc/stat: for how many clock ticks CPUs have been idle, all together. */
MUST_CHECK bool proc_parse_idle(const char *text, size_t size, uint64_t *out_ticks);

#define PROC_FLAG_EXITING     0x4u
#define PROC_FLAG_USER_WORKER 0x4010u /* PF_IO_WORKER; from Linux 6.4 on PF_USER_WORKER, too */
#define PROC_FLAG_KTHREAD     UINT32_C(0x00200000)

/* /proc/PID/schedstat, of kernels with CONFIG_SCHED_INFO */
struct proc_schedstat {
    uint64_t run_ns;   /* on a CPU; exact when the thread is off it, else as of the last tick */
    uint64_t delay_ns; /* runnable without one; a wait counts when it ends */
    uint64_t switches; /* how often it was switched to; exact */
};
MUST_CHECK bool proc_parse_schedstat(const char *text, size_t size, struct proc_schedstat *out);

/* /proc/PID/syscall */
struct proc_syscall {
    bool running; /* runnable: nothing else is known */
    int64_t nr;   /* -1: blocked, but not in a system call */
    uint64_t args[6];
    uint64_t sp, pc;
};
MUST_CHECK bool proc_parse_syscall(const char *text, size_t size, struct proc_syscall *out);

/* A line "Field:\tNUMBER…" of /proc/PID/status; `field` without the colon. */
MUST_CHECK bool proc_parse_status(const char *text, size_t size, const char *field, uint64_t *out);

/*
 * Reads the file `path` below `dir_fd` (AT_FDCWD for an absolute path) into `buffer`; what does not
 * fit is left out. The number of bytes, or a negative errno.
 */
ssize_t proc_read(int dir_fd, const char *path, void *buffer, size_t size);

/* As proc_read with a path that is built like printf's. */
ssize_t proc_readf(void *buffer, size_t size, const char *format, ...) PRINTF_LIKE(3, 4);

/*
 * TID/stat below `dir_fd`, a task directory, or of /proc for AT_FDCWD. What proc_read returns, or
 * 0: it is not what the kernel is known to write.
 */
ssize_t proc_read_stat(int dir_fd, pid_t tid, struct proc_stat *out);

/* As proc_parse_status, of several numbers in the line the last. */
MUST_CHECK bool proc_parse_status_last(const char *text, size_t size, const char *field,
                                       uint64_t *out);

/* As proc_parse_status, of a set of bits: a number in hexadecimal. */
MUST_CHECK bool proc_parse_status_mask(const char *text, size_t size, const char *field,
                                       uint64_t *out);

/* A field of /proc/PID/status, or `otherwise` when there is no such process or field. */
uint64_t proc_status(pid_t pid, const char *field, uint64_t otherwise);
/* The same of several numbers, such as NSpid: the last. */
uint64_t proc_status_last(pid_t pid, const char *field, uint64_t otherwise);
/* The same of a set of bits, such as SigCgt or CapEff. */
uint64_t proc_status_mask(pid_t pid, const char *field, uint64_t otherwise);

#endif
