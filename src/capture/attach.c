#include "capture/attach.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <unistd.h>

#include "capture/mappings.h"
#include "capture/program.h"
#include "capture/refusal.h"
#include "capture/stops.h"

/* Threads may appear while the list of them is read; after so many passes something is wrong. */
#define PASSES_MAX 1000u

/* This build cannot capture the program, or a 32-bit one cannot tell. */
static enum status refuse(struct capture *cap, pid_t pid)
{
    struct program program;
    const struct arch *arch;

    if (!program_read(pid, &program)) {
        session_fail(cap, STATUS_UNSUPPORTED,
                     "process %d may run a 64-bit program, which this %d-bit cgsnap cannot capture",
                     (int)pid, (int)sizeof(void *) * 8);
        diag_hint(&cap->diag, "neither its program file nor its /proc/%d/auxv can be read",
                  (int)pid);
        return cap->status;
    }
    arch = program.machine ? arch_by_machine(program.machine) : NULL;
    session_fail(cap, STATUS_UNSUPPORTED,
                 "process %d runs a %u-bit program (%s), which this %d-bit cgsnap cannot capture",
                 (int)pid, program.word_size * 8, arch ? arch->name : "of an unknown machine",
                 (int)sizeof(void *) * 8);
    diag_hint(&cap->diag, "use a cgsnap that was built for %s", arch ? arch->name : "that machine");
    return cap->status;
}

/* NOT_FOUND: it ended. IO: refused, and cap->status says nothing yet. */
static enum status seize(struct capture *cap, struct process *process, pid_t tid)
{
    struct thread *thread;

    if (ptrace(PTRACE_SEIZE, tid, NULL, stops_options(cap)) != 0) {
        int error = errno;
        if (error == EPERM && proc_status(tid, "TracerPid", 0) == (uint64_t)getpid())
            return STATUS_OK; /* attached with the thread that made it; its first stop is to come */
        if (error == ESRCH || error == EPERM)
            return error == ESRCH ? STATUS_NOT_FOUND : STATUS_IO;
        session_fail(cap, STATUS_IO, "cannot attach to thread %d: %s", (int)tid, strerror(error));
        return cap->status;
    }
    /* It may have called exec since attach_backend looked; from now on we are told. */
    if (attach_verify(cap, tid) != STATUS_OK)
        return cap->status;
    thread = thread_find(cap, tid);
    if (!thread)
        thread = thread_add(cap, process, tid);
    return thread ? STATUS_OK : cap->status;
}

static bool is_zombie(const struct process *process, pid_t tid)
{
    char path[32], text[512];
    struct proc_stat stat;
    ssize_t n;

    snprintf(path, sizeof(path), "%d/stat", (int)tid);
    n = proc_read(process->task_fd, path, text, sizeof(text));
    return n > 0 && proc_parse_stat(text, (size_t)n, &stat) && stat.state == 'Z';
}

/* One pass over /proc/PID/task. *found counts the threads that were attached in it. */
static enum status seize_listed(struct capture *cap, struct process *process, size_t *found)
{
    int fd = openat(process->task_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    enum status status = STATUS_OK;
    struct dirent *entry;

    *found = 0;
    if (!dir) {
        if (fd >= 0)
            close(fd);
        return STATUS_NOT_FOUND;
    }
    while (status == STATUS_OK && (entry = readdir(dir))) {
        pid_t tid = (pid_t)strtol(entry->d_name, NULL, 10);
        if (tid <= 0 || thread_find(cap, tid) || is_zombie(process, tid))
            continue;
        status = seize(cap, process, tid);
        *found += status == STATUS_OK;
        if (status == STATUS_NOT_FOUND)
            status = STATUS_OK; /* it ended meanwhile */
    }
    closedir(dir);
    return status;
}

/*
 * All threads: those that a thread makes after it was attached are attached by the kernel
 * (TRACECLONE), those that it made before are in the list by the time it is read again. So it is
 * read until it shows none new.
 */
static enum status seize_all(struct capture *cap, struct process *process)
{
    size_t found = 1;
    enum status status = STATUS_OK;

    for (unsigned pass = 0; status == STATUS_OK && found && pass < PASSES_MAX; pass++) {
        status = seize_listed(cap, process, &found);
        stops_drain(cap);
    }
    return status;
}

static enum status seize_chosen(struct capture *cap, struct process *process)
{
    const struct capture_options *options = &cap->options;
    enum status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && i < options->tid_count; i++) {
        if (proc_status(options->tids[i], "Tgid", 0) != (uint64_t)process->pid) {
            session_fail(cap, STATUS_NOT_FOUND, "process %d has no thread %d", (int)process->pid,
                         (int)options->tids[i]);
            return cap->status;
        }
        if (!thread_find(cap, options->tids[i]))
            status = seize(cap, process, options->tids[i]);
    }
    return status;
}

enum status attach_process(struct capture *cap)
{
    pid_t pid = cap->options.pid;
    struct process *process;
    enum status status;

    if (refusal_obvious(pid, &cap->diag, &cap->status))
        return cap->status;
    status = attach_backend(cap, pid);
    if (status != STATUS_OK)
        return status;
    process = process_add(cap, pid);
    if (!process)
        return cap->status;
    status = cap->options.tid_count ? seize_chosen(cap, process) : seize_all(cap, process);
    if (cap->status != STATUS_OK)
        return cap->status;
    if (status == STATUS_IO || !process->live) {
        cap->status = refusal_explain(pid, &cap->diag);
        return cap->status;
    }
    mappings_read(process, process->threads[0]->tid);
    return STATUS_OK;
}

bool attach_fits(const struct capture *cap, pid_t tid)
{
    struct program program;

    if (program_read(tid, &program))
        return program_backend(&program) == cap->backend;
    return sizeof(void *) == 8 || program_has_ended(tid);
}

enum status attach_verify(struct capture *cap, pid_t tid)
{
    return attach_fits(cap, tid) ? STATUS_OK : refuse(cap, tid);
}

enum status attach_backend(struct capture *cap, pid_t pid)
{
    struct program program;

    cap->backend = arch_capture_host();
    if (program_read(pid, &program))
        cap->backend = program_backend(&program);
    if (!cap->backend)
        return refuse(cap, pid);
    cap->arch = cap->backend->arch;
    return STATUS_OK;
}
