/* SPDX-License-Identifier: MIT */
#include "capture/ptrace/reattach.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/procfs.h"
#include "capture/ptrace/activity.h"
#include "capture/ptrace/attach.h"
#include "capture/ptrace/tracing.h"

/* Needs open descriptors, by which the thread's end, or another program, is noticed later. */
enum status reattach_leave(void *state, struct target_thread *thread)
{
    struct ptrace_process *process = ptrace_process_of(thread->process);
    struct ptrace_thread *own = ptrace_thread_of(thread);
    enum status status;
    char path[32];

    if (own->schedstat_fd < 0)
        return STATUS_IO;
    if (process->mem_fd < 0) {
        snprintf(path, sizeof(path), "%d/mem", (int)thread->tid);
        process->mem_fd = openat(process->task_fd, path, O_RDONLY | O_CLOEXEC);
    }
    if (process->mem_fd < 0)
        return STATUS_IO;
    status = tracing_detach(state, thread);
    if (status == STATUS_OK)
        own->listening = false;
    return status;
}

enum status reattach_thread(void *state, struct target_thread *thread)
{
    struct ptrace_state *st = state;
    struct proc_schedstat usage;
    const int error = attach_try(st, thread->process, thread->tid, false);

    if (error == ETIMEDOUT)
        return STATUS_BUSY;
    if (error && error != EALREADY)
        return error == ESRCH ? STATUS_NOT_FOUND : STATUS_IO;
    if (!activity_usage(st, thread, &usage)) {
        attach_let_go(st, thread->tid);
        return STATUS_NOT_FOUND;
    }
    return STATUS_OK;
}

/* After an exec adds the first thread only, whose next stop tells it, unless it has ended. */
static size_t add_unknown(struct ptrace_state *st, struct target_process *process)
{
    const struct backend_host *host = st->host;
    int fd = openat(ptrace_process_of(process)->task_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    const bool first_only =
        tracee_program(st, process) != PROGRAM_SAME && !tracee_is_zombie(process, process->pid);
    struct dirent *entry;
    size_t workers = 0;

    if (!dir && fd >= 0)
        close(fd);
    while (dir && (entry = readdir(dir))) {
        pid_t tid = (pid_t)strtol(entry->d_name, NULL, 10);
        if (tid <= 0 || (first_only && tid != process->pid) ||
            host->find_thread(host->context, tid) || tracee_is_zombie(process, tid))
            continue;
        if (tracee_is_worker(process, tid))
            workers++;
        else
            host->add_thread(host->context, process, tid, false);
    }
    if (dir)
        closedir(dir);
    return workers;
}

size_t reattach_list(void *state, struct target_process *process)
{
    struct stat stat;
    size_t workers = 0;

    if (fstat(ptrace_process_of(process)->task_fd, &stat) != 0)
        return 0;
    if (stat.st_nlink - 2 != process->live)
        workers = add_unknown(state, process);
    return stat.st_nlink - 2 - workers;
}
