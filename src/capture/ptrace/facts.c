/* SPDX-License-Identifier: MIT */
#include "capture/ptrace/facts.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "capture/ptrace/proc_maps.h"
#include "capture/ptrace/program.h"

#define COMMAND_LINE_MAX (64u << 10)
#define AUXV_MAX         4096u

static bool read_name(const struct target_thread *thread, char name[PROC_NAME_SIZE])
{
    char path[32], text[PROC_NAME_SIZE + 1];
    ssize_t n;

    snprintf(path, sizeof(path), "%d/comm", (int)thread->tid);
    n = proc_read(ptrace_task_fd(thread), path, text, sizeof(text));
    if (n <= 0 || n > PROC_NAME_SIZE)
        return false;
    text[n - 1] = '\0'; /* the newline */
    memcpy(name, text, (size_t)n);
    return true;
}

bool facts_identify(void *state, const struct target_thread *thread, char name[PROC_NAME_SIZE],
                    uint64_t *start_ticks)
{
    struct proc_stat stat;

    (void)state;
    if (!start_ticks)
        return read_name(thread, name);
    if (proc_read_stat(ptrace_task_fd(thread), thread->tid, &stat) <= 0)
        return false;
    memcpy(name, stat.name, PROC_NAME_SIZE);
    *start_ticks = stat.start_ticks;
    return true;
}

/* Most processes have no pid namespace of their own: they are asked once. */
uint32_t facts_inner_tid(void *state, const struct target_thread *thread)
{
    struct ptrace_process *process = ptrace_process_of(thread->process);
    uint64_t inner;

    (void)state;
    if (process->namespace_known && !process->has_namespace)
        return (uint32_t)thread->tid;
    inner = proc_status_last(thread->tid, "NSpid", 0);
    if (!process->namespace_known && inner) {
        process->namespace_known = true;
        process->has_namespace = inner != (uint64_t)thread->tid;
    }
    return (uint32_t)inner;
}

/*
 * Returns a thread by which a process's files in /proc can be read: a first thread that called
 * pthread_exit is a zombie, without program or command line.
 */
static pid_t readable_tid(const struct target_process *process)
{
    pid_t found = process->pid;
    struct dirent *entry;
    char path[32];
    DIR *dir;

    if (!program_has_ended(found))
        return found;
    snprintf(path, sizeof(path), "/proc/%d/task", (int)process->pid);
    dir = opendir(path);
    while (dir && found == process->pid && (entry = readdir(dir))) {
        pid_t tid = (pid_t)strtol(entry->d_name, NULL, 10);
        if (tid > 0 && !program_has_ended(tid))
            found = tid;
    }
    if (dir)
        closedir(dir);
    return found;
}

static uint8_t *read_file(pid_t tid, const char *name, size_t max, size_t *size)
{
    uint8_t *bytes = malloc(max);
    ssize_t n = bytes ? proc_readf(bytes, max, "/proc/%d/%s", (int)tid, name) : 0;

    *size = n > 0 ? (size_t)n : 0;
    return bytes;
}

void facts_describe(void *state, const struct target_process *process, struct process_facts *out)
{
    const pid_t tid = readable_tid(process);
    struct utsname host;
    char path[32];
    ssize_t n;

    (void)state;
    snprintf(path, sizeof(path), "/proc/%d/exe", (int)tid);
    n = readlink(path, out->exe, sizeof(out->exe) - 1);
    out->exe[n > 0 ? n : 0] = '\0';
    if (uname(&host) == 0) {
        memcpy(out->host, host.nodename, sizeof(out->host));
        memcpy(out->kernel, host.release, sizeof(out->kernel));
    }
    out->parent_pid = (uint32_t)proc_status(process->pid, "PPid", 0);
    out->command_line = read_file(tid, "cmdline", COMMAND_LINE_MAX, &out->command_line_size);
    out->auxv = read_file(tid, "auxv", AUXV_MAX, &out->auxv_size);
}

enum status facts_read_maps(void *state, const struct target_process *process, pid_t tid,
                            struct maps *out)
{
    enum status status;
    char path[32];
    int fd;

    (void)state;
    snprintf(path, sizeof(path), "%d/maps", (int)tid);
    fd = openat(ptrace_process_of(process)->task_fd, path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return STATUS_NOT_FOUND;
    status = maps_read(out, fd);
    close(fd);
    return status;
}

/* Returns the pages of the address space; 0: the file's thread has ended. */
static uint64_t read_size(int statm_fd)
{
    char text[64];
    ssize_t n = pread(statm_fd, text, sizeof(text) - 1, 0);

    if (n <= 0)
        return 0;
    text[n] = '\0';
    return strtoull(text, NULL, 10);
}

uint64_t facts_maps_size(void *state, struct target_process *process, pid_t tid, uint64_t last)
{
    struct ptrace_process *own = ptrace_process_of(process);
    char path[32];

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        uint64_t size;

        if (own->statm_fd < 0) {
            snprintf(path, sizeof(path), "%d/statm", (int)tid);
            own->statm_fd = openat(own->task_fd, path, O_RDONLY | O_CLOEXEC);
        }
        if (own->statm_fd < 0)
            break;
        size = read_size(own->statm_fd);
        if (size)
            return size;
        close(own->statm_fd);
        own->statm_fd = -1;
    }
    return last;
}

/* False for a closed descriptor: the thread has gone on, and nothing tells what it was. */
bool facts_read_fd(void *state, const struct target_thread *thread, uint32_t fd, char *link,
                   size_t size)
{
    char path[48];
    ssize_t n;

    (void)state;
    snprintf(path, sizeof(path), "%d/fd/%u", (int)thread->tid, fd);
    n = readlinkat(ptrace_task_fd(thread), path, link, size - 1);
    if (n >= 0)
        link[n] = '\0';
    return n >= 0;
}
