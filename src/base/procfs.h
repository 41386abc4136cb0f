/* SPDX-License-Identifier: MIT */
/*
 * Files of /proc that capture reads: parsers of their text, and functions that read them. See
 * proc(5).
 *
 * Parsers take text that need not be NUL-terminated. They return false, and leave the output as it
 * was, when the text is not what the kernel is known to write.
 */
#ifndef BASE_PROCFS_H
#define BASE_PROCFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/status.h"

#define PROC_NAME_SIZE 16 /* the kernel's TASK_COMM_LEN, NUL included */

/* The fields of /proc/PID/stat that are used. */
struct proc_stat {
    char name[PROC_NAME_SIZE];
    char state; /* as proc(5) has it: 'R', 'S' ... */
    uint32_t parent_pid;
    uint32_t flags;       /* the kernel's PF_...; PROC_FLAG_... */
    uint64_t cpu_ticks;   /* clock ticks on a CPU, user and system */
    uint64_t start_ticks; /* begin of the process, in clock ticks since boot */
    int cpu;              /* CPU that the thread runs on or ran on last; -1: not known */
};
MUST_CHECK bool proc_parse_stat(const char *text, size_t size, struct proc_stat *out);

/*
 * Parses /proc/stat: sets *out_ticks to the clock ticks in which CPUs were idle or waited for I/O,
 * summed over all CPUs. False: other text.
 */
MUST_CHECK bool proc_parse_idle(const char *text, size_t size, uint64_t *out_ticks);

#define PROC_FLAG_EXITING     0x4u
#define PROC_FLAG_USER_WORKER 0x4010u /* PF_IO_WORKER; from Linux 6.4 on PF_USER_WORKER, too */
#define PROC_FLAG_KTHREAD     UINT32_C(0x00200000)

/* A thread's /proc/PID/schedstat, of kernels with CONFIG_SCHED_INFO. */
struct proc_schedstat {
    uint64_t run_ns;   /* on a CPU so far; while the thread runs: as of the last clock tick */
    uint64_t delay_ns; /* runnable without a CPU so far; a wait is added when it ends */
    uint64_t switches; /* how often a CPU was switched to the thread; exact */
};
MUST_CHECK bool proc_parse_schedstat(const char *text, size_t size, struct proc_schedstat *out);

/* A thread's /proc/PID/syscall. */
struct proc_syscall {
    bool running; /* the thread is runnable; then the other members are not known */
    int64_t nr;   /* number of the system call; -1: blocked, but not in a system call */
    uint64_t args[6];
    uint64_t sp, pc;
};
MUST_CHECK bool proc_parse_syscall(const char *text, size_t size, struct proc_syscall *out);

/*
 * Sets *out to the first number on the line "FIELD:\tNUMBER..." of the text of /proc/PID/status;
 * `field` has no colon. False: there is no such line or number.
 */
MUST_CHECK bool proc_parse_status(const char *text, size_t size, const char *field, uint64_t *out);

/*
 * Reads at most `size` bytes of the file `path`, relative to `dir_fd` (AT_FDCWD: an absolute path),
 * into `buffer`. Returns the number of bytes read, or a negative errno.
 */
ssize_t proc_read(int dir_fd, const char *path, void *buffer, size_t size);

/* Does the same as proc_read, with an absolute path that is formatted as by printf. */
ssize_t proc_readf(void *buffer, size_t size, const char *format, ...) PRINTF_LIKE(3, 4);

/*
 * Reads and parses TID/stat in the directory `dir_fd`, a process's task directory (AT_FDCWD:
 * /proc/TID/stat). Returns the number of bytes read, a negative errno, or 0: the text is not what
 * the kernel is known to write.
 */
ssize_t proc_read_stat(int dir_fd, pid_t tid, struct proc_stat *out);

/* Does the same as proc_parse_status, but sets *out to the last number on the line. */
MUST_CHECK bool proc_parse_status_last(const char *text, size_t size, const char *field,
                                       uint64_t *out);

/* Does the same as proc_parse_status, but parses a hexadecimal number without 0x. */
MUST_CHECK bool proc_parse_status_mask(const char *text, size_t size, const char *field,
                                       uint64_t *out);

/* Returns the first number in a field of /proc/PID/status; `otherwise` if that cannot be read. */
uint64_t proc_status(pid_t pid, const char *field, uint64_t otherwise);
/* Returns the last of a field's numbers (NSpid); `otherwise` if that cannot be read. */
uint64_t proc_status_last(pid_t pid, const char *field, uint64_t otherwise);
/* Returns a field's hexadecimal number (SigCgt, CapEff); `otherwise` if that cannot be read. */
uint64_t proc_status_mask(pid_t pid, const char *field, uint64_t otherwise);

#endif
