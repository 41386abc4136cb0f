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

/* /proc/PID/stat */
struct proc_stat {
    char name[PROC_NAME_SIZE];
    char state;
    uint32_t parent_pid;
    uint32_t flags;       /* PF_... */
    uint64_t cpu_ticks;   /* clock ticks on a CPU, user and system */
    uint64_t start_ticks; /* clock ticks since boot */
    int cpu;              /* CPU that the thread runs on or ran on last; -1: not known */
};
MUST_CHECK bool proc_parse_stat(const char *text, size_t size, struct proc_stat *out);

/* /proc/stat: sets *out_ticks to the ticks of all CPUs, summed, idle or waiting for I/O. */
MUST_CHECK bool proc_parse_idle(const char *text, size_t size, uint64_t *out_ticks);

#define PROC_FLAG_EXITING     0x4u
#define PROC_FLAG_USER_WORKER 0x4010u /* PF_IO_WORKER; from Linux 6.4 on PF_USER_WORKER, too */
#define PROC_FLAG_KTHREAD     UINT32_C(0x00200000)

/* /proc/PID/schedstat, of kernels with CONFIG_SCHED_INFO */
struct proc_schedstat {
    uint64_t run_ns;   /* ns on a CPU; exact while it is off it, else as of the last tick */
    uint64_t delay_ns; /* ns runnable without a CPU; each wait is added when it ends */
    uint64_t switches; /* times that it was switched to; exact */
};
MUST_CHECK bool proc_parse_schedstat(const char *text, size_t size, struct proc_schedstat *out);

/* /proc/PID/syscall */
struct proc_syscall {
    bool running; /* runnable: the other members are not known */
    int64_t nr;   /* -1: blocked, but not in a system call */
    uint64_t args[6];
    uint64_t sp, pc;
};
MUST_CHECK bool proc_parse_syscall(const char *text, size_t size, struct proc_syscall *out);

/* /proc/PID/status: the (first) number on the line "Field:\tNUMBER..."; no colon in `field`. */
MUST_CHECK bool proc_parse_status(const char *text, size_t size, const char *field, uint64_t *out);

/*
 * Reads at most `size` bytes of the file `path`, relative to `dir_fd` (AT_FDCWD: an absolute path),
 * into `buffer`. Returns the number of bytes, or a negative errno.
 */
ssize_t proc_read(int dir_fd, const char *path, void *buffer, size_t size);

/* The same with an absolute path that is formatted as by printf. */
ssize_t proc_readf(void *buffer, size_t size, const char *format, ...) PRINTF_LIKE(3, 4);

/*
 * Reads and parses TID/stat in `dir_fd`, a task directory (AT_FDCWD: /proc/TID/stat). Returns the
 * number of bytes, or a negative errno, or 0: the text is not what the kernel is known to write.
 */
ssize_t proc_read_stat(int dir_fd, pid_t tid, struct proc_stat *out);

/* As proc_parse_status, but the last number on the line. */
MUST_CHECK bool proc_parse_status_last(const char *text, size_t size, const char *field,
                                       uint64_t *out);

/* As proc_parse_status, but a hexadecimal number without 0x. */
MUST_CHECK bool proc_parse_status_mask(const char *text, size_t size, const char *field,
                                       uint64_t *out);

/* Returns the (first) number in a field of /proc/PID/status; `otherwise`: no such one. */
uint64_t proc_status(pid_t pid, const char *field, uint64_t otherwise);
/* The same for the last of several numbers (NSpid). */
uint64_t proc_status_last(pid_t pid, const char *field, uint64_t otherwise);
/* The same for a hexadecimal number (SigCgt, CapEff). */
uint64_t proc_status_mask(pid_t pid, const char *field, uint64_t otherwise);

#endif
