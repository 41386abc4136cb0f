/* SPDX-License-Identifier: MIT */
/*
 * The ptrace backend's data of a capture, its processes and threads, and what /proc tells of them.
 * Internal to capture/ptrace/.
 */
#ifndef CAPTURE_PTRACE_TRACEES_H
#define CAPTURE_PTRACE_TRACEES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "arch/capture.h"
#include "capture/target/backend.h"

/* Reports of waitpid(2) that seize_thread took, for seize_next (seize.h). */
struct waited_queue {
    struct waited {
        pid_t tid;
        int status;
    } * items; /* owned */
    size_t next, count, capacity;
};

struct ptrace_state {
    const struct capture_options *options; /* borrowed */
    const struct backend_host *host;       /* borrowed */
    const struct arch_capture *regs;       /* for the target's programs; NULL: not known yet */
    struct files *files;                   /* owned; NULL: its helper could not be started */
    struct bundler *bundler;               /* owned; NULL: no --bundle, or no helper */
    struct cpu_clock *clock;               /* owned; NULL: not started */
    pid_t command;                         /* process that cgsnap started; 0: none */
    bool command_runs;                     /* the command was let go */
    struct process_family *family;         /* owned; NULL: no descendants or cgroup asked for */
    pid_t stranger;                        /* tid attached by mistake, to be detached; 0: none */
    bool has_schedstat;                    /* the kernel has /proc/PID/schedstat */
    bool keep_fds;                         /* descriptors of /proc files may still be kept open */
    int fd_max;                            /* keep descriptors below it; the rest is a reserve */
    struct waited_queue waited;            /* reports for seize_next */

    const struct target_thread *regset_of; /* the stopped thread that `regset` is of; NULL: none */
    struct regset regset;

    struct jit_watch *jit_watch; /* owned; NULL: not needed yet */
};

struct ptrace_process {
    int task_fd;  /* the directory /proc/PID/task */
    int statm_fd; /* /proc/PID/statm; -1: not open */
    int mem_fd;   /* /proc/PID/mem, opened when a thread was first left; -1: not open */
    /* has_namespace: the process has a pid namespace of its own, if namespace_known */
    bool namespace_known, has_namespace;
};

struct ptrace_thread {
    int schedstat_fd, syscall_fd, stat_fd; /* files of /proc/PID/task/TID; -1: not open */
    bool listening;                        /* in a group stop, under PTRACE_LISTEN */
    bool restart;      /* at resume an interrupted system call is to be made again (restart.h) */
    bool handles;      /* a signal handler has run in the thread, or is about to (restart.h) */
    int signal;        /* to deliver at resume; 0: none */
    uint64_t set_back; /* result of restart_interrupted; 0: the thread was not set back */

    /* for activity_has_run: the thread's usage in the stop of its last sample */
    struct proc_schedstat stopped_at;
    bool was_blocked; /* the thread was blocked in a system call before and in that stop */
};

static inline struct ptrace_process *ptrace_process_of(const struct target_process *process)
{
    return process->own;
}

/* Whether a thread of the process's present program was ever left (reattach.h). */
static inline bool ptrace_was_left(const struct target_process *process)
{
    return ptrace_process_of(process)->mem_fd >= 0;
}

static inline struct ptrace_thread *ptrace_thread_of(const struct target_thread *thread)
{
    return thread->own;
}

/* Whether the thread has ended and was not waited for. */
bool tracee_is_zombie(const struct target_process *process, pid_t tid);
/* Whether the thread has ended, or is ending. */
bool tracee_is_ending(const struct target_process *process, pid_t tid);
/* Whether the thread is a kernel worker (io_uring, vhost), which runs no code of the program. */
bool tracee_is_worker(const struct target_process *process, pid_t tid);

/* Implement the backend's holds, is_gone and program (capture/target/backend.h). */
bool tracee_holds(void *state, pid_t pid);
bool tracee_is_gone(void *state, const struct target_thread *thread);
enum target_program tracee_program(void *state, const struct target_process *process);

/*
 * Whether this thread's stop must be reported as an exec: the process runs another program than
 * before, and the thread is its first, or the first has ended. Only for processes of which a thread
 * was left (ptrace_was_left).
 */
bool tracee_tells_program(struct ptrace_state *st, const struct target_thread *thread);

/*
 * Closes the descriptor of the old program's memory; to be called when an exec was reported, or the
 * process is forgotten.
 */
void tracee_forget_program(struct target_process *process);

static inline int ptrace_task_fd(const struct target_thread *thread)
{
    return ptrace_process_of(thread->process)->task_fd;
}

#endif
