/* SPDX-License-Identifier: MIT */
/*
 * What the ptrace backend keeps: of the capture, of each process and of each thread. Internal to
 * capture/ptrace/.
 */
#ifndef CAPTURE_PTRACE_TRACEES_H
#define CAPTURE_PTRACE_TRACEES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "arch/capture.h"
#include "capture/target/backend.h"

/* What waitpid(2) has told before it was asked for: seize.h. */
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
    const struct arch_capture *regs;       /* of the programs that are captured */
    struct files *files;                   /* owned; NULL: there is none */
    struct bundler *bundler;               /* the same */
    struct cpu_clock *clock;               /* the same */
    pid_t command;                         /* started by us, or 0 */
    bool command_runs;                     /* it was let go */
    struct process_family *family;         /* owned; NULL: one process was asked for */
    pid_t stranger;                        /* attached by mistake, and to be let go; or 0 */
    bool has_schedstat;                    /* the kernel has /proc/PID/schedstat */
    bool keep_fds;                         /* there are file descriptors left to keep: */
    int fd_max;                            /* those below; the rest is a reserve */
    struct waited_queue waited;            /* seize.h */

    /* What was read last in a stop that is not over, and whose it is; NULL: nothing. */
    const struct target_thread *regset_of;
    struct regset regset;

    struct jit_watch *jit_watch; /* owned; NULL: none was needed yet */
};

struct ptrace_process {
    int task_fd;                         /* /proc/PID/task */
    int statm_fd;                        /* -1: not open */
    int mem_fd;                          /* its memory, since a thread was left; or -1 */
    bool namespace_known, has_namespace; /* its tids are others in a pid namespace of its own */
};

struct ptrace_thread {
    int schedstat_fd, syscall_fd, stat_fd; /* -1: not open */
    bool listening;                        /* in a group stop, under PTRACE_LISTEN */
    bool restart;      /* an interrupted system call is to be made again at its resume */
    bool handles;      /* a handler of its own has run, or is about to: restart.h */
    int signal;        /* to deliver then */
    uint64_t set_back; /* with which registers it makes a system call again, or 0; restart.h */

    /* As of its last sample's stop: has it run since? */
    struct proc_schedstat stopped_at;
    bool was_blocked; /* before that stop, and the stop found it there */
};

static inline struct ptrace_process *ptrace_process_of(const struct target_process *process)
{
    return process->own;
}

/* Has a thread of its program ever been left? reattach.h */
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
