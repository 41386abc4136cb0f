/* SPDX-License-Identifier: MIT */
#include "capture/ptrace/attach.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "capture/ptrace/program.h"
#include "capture/ptrace/refusal.h"
#include "capture/ptrace/seize.h"

/* Passes over a list of threads, which may grow meanwhile; after more something is wrong. */
#define PASSES_MAX 1000u
/* Tries, a millisecond apart, to attach to a refused thread, and to see a stop. */
#define TRIES_MAX 20u
/* Tries, 20 ms apart, to attach to a process that nothing known refuses: exec takes that long. */
#define PROCESS_TRIES_MAX 50u
#define PROCESS_PAUSE_NS  20000000

int attach_try(struct ptrace_state *st, const struct target_process *process, pid_t tid,
               bool patient)
{
    const struct timespec pause = {.tv_nsec = 1000000};

    for (unsigned tries = 0;; tries++) {
        int error = seize_thread(st, tid, patient);
        uint64_t tracer = error == EPERM ? proc_status(tid, "TracerPid", 0) : 0;
        if (tracer)
            return tracer == (uint64_t)getpid() ? EALREADY : EPERM;
        if (error != EPERM)
            return error;
        if (tracee_is_ending(process, tid))
            return ESRCH;
        if (!patient || tries == TRIES_MAX)
            return error;
        nanosleep(&pause, NULL);
    }
}

void attach_let_go(struct ptrace_state *st, pid_t tid)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    int status;

    ptrace(PTRACE_INTERRUPT, tid, NULL, NULL);
    for (unsigned tries = 0; tries < TRIES_MAX; tries++) {
        pid_t found = waitpid(tid, &status, WNOHANG | __WALL);
        if (found < 0)
            return; /* it has ended, or is not traced by us any more */
        if (found == tid) {
            bool signal = WIFSTOPPED(status) && !(status >> 16);
            ptrace(PTRACE_DETACH, tid, NULL, (long)(signal ? WSTOPSIG(status) : 0));
            return;
        }
        nanosleep(&pause, NULL);
    }
    st->stranger = tid;
}

/* Attaches to a thread and adds it. NOT_FOUND: it ended. FAULT: refused, without a `diag` yet. */
static enum status seize(struct ptrace_state *st, struct target_process *process, pid_t tid,
                         bool patient, struct diag *diag)
{
    const struct backend_host *host = st->host;
    enum status status;
    int error = attach_try(st, process, tid, patient);
    uint64_t tgid;
    char whom[32];

    if (error) {
        if (error == EALREADY)
            return STATUS_OK; /* attached with the thread that made it; its first stop is to come */
        if (error == ESRCH || error == EPERM)
            return error == ESRCH ? STATUS_NOT_FOUND : STATUS_FAULT;
        if (error == ETIMEDOUT) {
            diag_set(diag, NULL, "process %d is in exec, and does not get on", (int)process->pid);
            return STATUS_BUSY;
        }
        snprintf(whom, sizeof(whom), "process %d", (int)process->pid);
        return refusal_failed(whom, error, diag);
    }
    tgid = proc_status(tid, "Tgid", 0);
    /* It called exec meanwhile, and has the first thread's number now. */
    if (!tgid)
        return program_verify(st, process->pid, diag);
    if (tgid != (uint64_t)process->pid) {
        attach_let_go(st, tid);
        return STATUS_NOT_FOUND;
    }
    /* It may have called exec since program_choose; from now on an event tells. */
    status = program_verify(st, tid, diag);
    if (status != STATUS_OK)
        attach_let_go(st, tid);
    if (status != STATUS_OK || host->find_thread(host->context, tid))
        return status;
    return host->add_thread(host->context, process, tid, false) ? STATUS_OK : STATUS_NO_MEMORY;
}

/* One pass over /proc/PID/task. *found counts the threads that were attached in it, or ended. */
static enum status seize_listed(struct ptrace_state *st, struct target_process *process,
                                bool patient, size_t *found, struct diag *diag)
{
    const struct backend_host *host = st->host;
    int fd = openat(ptrace_process_of(process)->task_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    enum status status = STATUS_OK;
    struct target_thread *first;
    struct dirent *entry;

    *found = 0;
    /* Has an untraced thread called exec, and taken the first one's number? */
    first = host->find_thread(host->context, process->pid);
    if (first && tracee_is_gone(st, first)) {
        seize_add_end(st, process->pid);
        host->answer_events(host->context);
    }
    if (!dir) {
        if (fd >= 0)
            close(fd);
        return STATUS_NOT_FOUND;
    }
    while (status == STATUS_OK && (entry = readdir(dir))) {
        pid_t tid = (pid_t)strtol(entry->d_name, NULL, 10);
        if (tid <= 0 || host->find_thread(host->context, tid) || tracee_is_zombie(process, tid))
            continue;
        status = seize(st, process, tid, patient, diag);
        *found += status == STATUS_OK || status == STATUS_NOT_FOUND;
        if (status == STATUS_NOT_FOUND)
            status = STATUS_OK; /* it ended or called exec: the next pass will show */
    }
    closedir(dir);
    return status;
}

/*
 * Attaches to all threads: the kernel attaches those that a thread makes after it was attached
 * (TRACECLONE); those that it made before are in the list when it is read again. So the list is
 * read until it shows no new ones.
 */
static enum status seize_all(struct ptrace_state *st, struct target_process *process, bool patient,
                             struct diag *diag)
{
    size_t found = 1;
    enum status status = STATUS_OK;

    for (unsigned pass = 0; status == STATUS_OK && found && pass < PASSES_MAX; pass++) {
        status = seize_listed(st, process, patient, &found, diag);
        st->host->answer_events(st->host->context);
    }
    return status;
}

/* Attaches to the chosen threads. `again`: some may have ended meanwhile. */
static enum status seize_chosen(struct ptrace_state *st, struct target_process *process, bool again,
                                struct diag *diag)
{
    const struct capture_options *options = st->options;
    const struct backend_host *host = st->host;
    enum status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && i < options->tid_count; i++) {
        if (proc_status(options->tids[i], "Tgid", 0) != (uint64_t)process->pid) {
            if (again)
                continue;
            diag_set(diag, NULL, "process %d has no thread %d", (int)process->pid,
                     (int)options->tids[i]);
            return STATUS_NOT_FOUND;
        }
        if (!host->find_thread(host->context, options->tids[i]))
            status = seize(st, process, options->tids[i], true, diag);
    }
    return status;
}

/* Attaches to a process's threads. `patient`: nobody else is held meanwhile. */
static enum status seize_process(struct ptrace_state *st, pid_t pid, bool again, bool patient,
                                 struct diag *diag)
{
    const struct timespec pause = {.tv_nsec = PROCESS_PAUSE_NS};
    struct target_process *process;
    enum status status;

    process = st->host->add_process(st->host->context, pid, pid);
    if (!process)
        return STATUS_NO_MEMORY;
    status = st->options->tid_count ? seize_chosen(st, process, again, diag)
                                    : seize_all(st, process, patient, diag);
    /* None of its threads is attached: none is held. */
    for (unsigned tries = 0;
         tries < PROCESS_TRIES_MAX && patient && !again && !st->options->tid_count &&
         !diag->what[0] && !process->live && (status == STATUS_FAULT || status == STATUS_OK) &&
         refusal_may_pass(pid);
         tries++) {
        nanosleep(&pause, NULL);
        status = seize_all(st, process, patient, diag);
    }
    if (diag->what[0] || status == STATUS_NO_MEMORY)
        return status;
    if (again && !process->live)
        return STATUS_NOT_FOUND;
    return status == STATUS_FAULT || !process->live ? refusal_explain(pid, diag) : STATUS_OK;
}

enum status attach_first(struct ptrace_state *st, pid_t pid, struct target_machine *machine,
                         struct diag *diag)
{
    enum status status;

    if (refusal_obvious(pid, diag, &status))
        return status;
    status = program_choose(st, pid, machine, diag);
    return status == STATUS_OK ? seize_process(st, pid, false, true, diag) : status;
}

enum status attach_more(struct ptrace_state *st, pid_t pid, struct diag *diag)
{
    enum status status;

    if (refusal_obvious(pid, diag, &status))
        return STATUS_NOT_FOUND;
    status = refusal_certain(pid, diag);
    if (status == STATUS_OK)
        status = program_verify(st, pid, diag);
    return status == STATUS_OK ? seize_process(st, pid, false, false, diag) : status;
}

enum status attach_again(void *state, pid_t pid, uint64_t before_ns, struct diag *diag)
{
    struct proc_stat stat;
    enum status status;

    if (proc_read_stat(AT_FDCWD, pid, &stat) <= 0 ||
        stat.start_ticks / (uint64_t)sysconf(_SC_CLK_TCK) > before_ns / 1000000000 ||
        refusal_obvious(pid, diag, &status))
        return STATUS_NOT_FOUND;
    return seize_process(state, pid, true, true, diag);
}
