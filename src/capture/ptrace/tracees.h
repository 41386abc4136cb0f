/* SPDX-License-Identifier: MIT */
/* The ptrace backend's state, of capture, processes and threads. Internal to capture/ptrace/. */
#ifndef CAPTURE_PTRACE_TRACEES_H
#define CAPTURE_PTRACE_TRACEES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "arch/capture.h"
#include "capture/target/backend.h"

/* Reports of waitpid(2) that were taken early: seize.h. */
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
    const struct arch_capture *regs;       /* for the captured programs; NULL: not known yet */
    struct files *files;                   /* owned; NULL: none */
    struct bundler *bundler;               /* owned; NULL: none */
    struct cpu_clock *clock;               /* the same */
    pid_t command;                         /* started by cgsnap; 0: none */
    bool command_runs;                     /* the command was let go */
    struct process_family *family;         /* owned; NULL: no descendants or cgroup asked for */
    pid_t stranger;                        /* attached by mistake, to be let go; 0: none */
    bool has_schedstat;                    /* the kernel has /proc/PID/schedstat */
    bool keep_fds;                         /* descriptors are left to keep open */
    int fd_max;                            /* keep those below; the rest is a reserve */
    struct waited_queue waited;            /* seize.h */

    /* Registers that were read in a stop that lasts, and whose; NULL: none. */
    const struct target_thread *regset_of;
    struct regset regset;

    struct jit_watch *jit_watch; /* owned; NULL: none was needed yet */
};

struct ptrace_process {
    int task_fd;                         /* /proc/PID/task */
    int statm_fd;                        /* -1: not open */
    int mem_fd;                          /* /proc/PID/mem, since a thread was left; -1: none was */
    bool namespace_known, has_namespace; /* has a pid namespace of its own */
};

struct ptrace_thread {
    int schedstat_fd, syscall_fd, stat_fd; /* -1: not open */
    bool listening;                        /* in a group stop, under PTRACE_LISTEN */
    bool restart;      /* at resume an interrupted system call is to be made again */
    bool handles;      /* a signal handler has run, or is about to: restart.h */
    int signal;        /* to deliver at resume; 0: none */
    uint64_t set_back; /* restart_interrupted's hash, or 0 */

    /* For has_run: usage in its last sample's stop. */
    struct proc_schedstat stopped_at;
    bool was_blocked; /* blocked before that stop, which found it there */
};

static inline struct ptrace_process *ptrace_process_of(const struct target_process *process)
{
    return process->own;
}

/* Has a thread of its present program ever been left? reattach.h */
static inline bool ptrace_was_left(const struct target_process *process)
{
    return ptrace_process_of(process)->mem_fd >= 0;
}

static inline struct ptrace_thread *ptrace_thread_of(const struct target_thread *thread)
{
    return thread->own;
}

static inline int ptrace_task_fd(const struct target_thread *thread)
{
    return ptrace_process_of(thread->process)->task_fd;
}

#endif
