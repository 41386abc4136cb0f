/* SPDX-License-Identifier: MIT */
#include "capture/ptrace/tracees.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/procfs.h"

static bool read_stat(const struct target_process *process, pid_t tid, struct proc_stat *out)
{
    return proc_read_stat(ptrace_process_of(process)->task_fd, tid, out) > 0;
}

bool tracee_is_zombie(const struct target_process *process, pid_t tid)
{
    struct proc_stat stat;

    return read_stat(process, tid, &stat) && stat.state == 'Z';
}

bool tracee_is_ending(const struct target_process *process, pid_t tid)
{
    struct proc_stat stat;

    return !read_stat(process, tid, &stat) || stat.state == 'Z' || stat.state == 'X' ||
           stat.flags & PROC_FLAG_EXITING;
}

bool tracee_is_worker(const struct target_process *process, pid_t tid)
{
    struct proc_stat stat;

    return read_stat(process, tid, &stat) && stat.flags & PROC_FLAG_USER_WORKER;
}

bool tracee_holds(void *state, pid_t pid)
{
    struct dirent *entry;
    bool holds = false;
    char path[32];
    DIR *dir;

    (void)state;
    snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
    dir = opendir(path);
    while (dir && !holds && (entry = readdir(dir))) {
        pid_t tid = (pid_t)strtol(entry->d_name, NULL, 10);
        /* An ended first thread stays a tracee until its process has ended. */
        holds = tid > 0 && proc_status(tid, "TracerPid", 0) == (uint64_t)getpid() &&
                proc_status(tid, "VmSize", 0) != 0;
    }
    if (dir)
        closedir(dir);
    return holds;
}

/* A thread may be gone without an event: an untraced one called exec and took its number. */
bool tracee_is_gone(void *state, const struct target_thread *thread)
{
    const struct ptrace_state *st = state;
    /* waitpid reports its end, unless an untraced thread may call exec */
    const bool told = !st->options->tid_count && !ptrace_was_left(thread->process);
    uint64_t unknown = told ? (uint64_t)getpid() : 0;

    return proc_status(thread->tid, "TracerPid", unknown) != (uint64_t)getpid();
}

/*
 * Reading at 0 fails, or gives a byte; of memory that is gone it gives the end of the file. The
 * directory of threads has a link for each.
 */
enum target_program tracee_program(void *state, const struct target_process *process)
{
    const struct ptrace_process *own = ptrace_process_of(process);
    struct stat stat;
    char byte;

    (void)state;
    if (!ptrace_was_left(process) || pread(own->mem_fd, &byte, 1, 0) != 0)
        return PROGRAM_SAME;
    if (fstat(own->task_fd, &stat) != 0 || stat.st_nlink < 3 ||
        (stat.st_nlink == 3 && tracee_is_zombie(process, process->pid)))
        return PROGRAM_ENDED;
    return PROGRAM_OTHER;
}

bool tracee_tells_program(struct ptrace_state *st, const struct target_thread *thread)
{
    const struct target_process *process = thread->process;

    return tracee_program(st, process) != PROGRAM_SAME &&
           (thread->tid == process->pid || tracee_is_zombie(process, process->pid));
}

void tracee_forget_program(struct target_process *process)
{
    struct ptrace_process *own = ptrace_process_of(process);

    close(own->mem_fd);
    own->mem_fd = -1;
}
