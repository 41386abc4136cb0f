/* SPDX-License-Identifier: MIT */
#include "capture/ptrace/refusal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/procfs.h"
#include "capture/target/options.h"

#define COMPARE_MEMORY 1 /* KCMP_VM of kcmp(2) */

bool refusal_obvious(pid_t pid, struct diag *diag, enum status *status)
{
    uint64_t tgid = proc_status(pid, "Tgid", 0);
    struct proc_stat stat;

    if (!tgid || proc_read_stat(AT_FDCWD, pid, &stat) <= 0) {
        diag_set(diag, NULL, "no such process: %d", (int)pid);
        if (access("/proc/self/stat", R_OK) != 0)
            diag_hint(diag, "/proc is not mounted");
        *status = STATUS_NOT_FOUND;
        return true;
    }
    *status = STATUS_UNSUPPORTED;
    if (pid == getpid()) {
        diag_set(diag, NULL, "process %d is cgsnap itself", (int)pid);
        return true;
    }
    if (tgid != (uint64_t)pid) {
        diag_set(diag, NULL, "%d is a thread of process %d", (int)pid, (int)tgid);
        diag_hint(diag, "use -p %d -t %d", (int)tgid, (int)pid);
        return true;
    }
    if (stat.flags & PROC_FLAG_KTHREAD) {
        diag_set(diag, NULL, "process %d (%s) is a kernel thread and has no stack to capture",
                 (int)pid, stat.name);
        return true;
    }
    if (stat.state == 'Z' && proc_status(pid, "Threads", 1) <= 1) {
        diag_set(diag, NULL, "process %d (%s) is a zombie: it has ended", (int)pid, stat.name);
        diag_hint(diag, "its parent, process %u, has not waited for it", stat.parent_pid);
        return true;
    }
    *status = STATUS_OK;
    return false;
}

static bool in_other_user_namespace(pid_t pid)
{
    char path[32];
    struct stat own, theirs;

    snprintf(path, sizeof(path), "/proc/%d/ns/user", (int)pid);
    return stat("/proc/self/ns/user", &own) == 0 && stat(path, &theirs) == 0 &&
           theirs.st_ino != own.st_ino;
}

/* Have we CAP_SYS_PTRACE? */
static bool may_trace_others(void)
{
    return proc_status_mask(getpid(), "CapEff", 0) >> 19 & 1;
}

static unsigned yama_scope(void)
{
    char text[8];
    ssize_t n = proc_readf(text, sizeof(text), "/proc/sys/kernel/yama/ptrace_scope");

    return n > 0 && text[0] >= '0' && text[0] <= '3' ? (unsigned)(text[0] - '0') : 0;
}

static void explain_yama(struct diag *diag, unsigned scope)
{
    if (scope == 3) {
        diag_hint(diag, "/proc/sys/kernel/yama/ptrace_scope is 3: nobody may attach until "
                        "the next boot");
        return;
    }
    diag_hint(diag, "/proc/sys/kernel/yama/ptrace_scope is %u: run cgsnap as root%s", scope,
              scope == 1 ? ", set it to 0, or start the program with cgsnap -- COMMAND" : "");
}

static const char no_capability[] =
    "a container or a security module forbids ptrace: start the container with "
    "--cap-add=SYS_PTRACE, or run cgsnap outside of it";

/* If its own user may not trace a process, its files in /proc are root's; not their directory. */
static bool is_undumpable(pid_t pid, uint64_t uid)
{
    char path[32];
    struct stat st;

    snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
    return stat(path, &st) == 0 && st.st_uid != uid;
}

/* Opening this file needs the same permission; a security module may refuse the file alone. */
static bool memory_is_closed(pid_t pid)
{
    char path[32];
    int fd;

    snprintf(path, sizeof(path), "/proc/%d/mem", (int)pid);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return errno == EACCES;
    close(fd);
    return false;
}

enum status refusal_certain(pid_t pid, struct diag *diag)
{
    uint64_t uid = proc_status(pid, "Uid", geteuid());

    if (proc_status(pid, "TracerPid", 0) ||
        (!may_trace_others() && memory_is_closed(pid) &&
         (uid != geteuid() || yama_scope() || is_undumpable(pid, uid))))
        return refusal_explain(pid, diag);
    return STATUS_OK;
}

bool refusal_may_pass(pid_t pid)
{
    struct diag diag;
    enum status status;

    return may_trace_others() && pid != 1 && yama_scope() < 3 &&
           !proc_status(pid, "TracerPid", 0) && !refusal_obvious(pid, &diag, &status);
}

enum status refusal_explain(pid_t pid, struct diag *diag)
{
    uint64_t tracer = proc_status(pid, "TracerPid", 0);
    uint64_t uid = proc_status(pid, "Uid", UINT64_MAX);
    const bool is_limited = !may_trace_others();
    const unsigned scope = yama_scope();
    struct proc_stat stat = {.name = "?"};
    enum status status;

    if (refusal_obvious(pid, diag, &status))
        return status;
    (void)proc_read_stat(AT_FDCWD, pid, &stat);
    diag_set(diag, NULL, "no permission to attach to process %d (%s)", (int)pid, stat.name);
    if (tracer && tracer != (uint64_t)getpid()) {
        struct proc_stat other = {.name = "?"};
        (void)proc_read_stat(AT_FDCWD, (pid_t)tracer, &other);
        diag_hint(diag, "process %u (%s) traces it already (a debugger or strace?): end that first",
                  (unsigned)tracer, other.name);
    } else if (scope == 3) {
        explain_yama(diag, scope);
    } else if (is_limited && geteuid() == 0) {
        diag_hint(diag, "%s", no_capability);
    } else if (is_limited && uid != geteuid()) {
        diag_hint(diag, "it belongs to another user (uid %u): run cgsnap as that user or as root",
                  (unsigned)uid);
    } else if (is_limited && in_other_user_namespace(pid)) {
        diag_hint(diag,
                  "it runs in a container (another user namespace): run cgsnap as root outside "
                  "of it, or inside of it");
    } else if (is_limited && scope) {
        explain_yama(diag, scope);
    } else if (is_limited && is_undumpable(pid, uid)) {
        diag_hint(diag, "it is set-user-ID or made itself undumpable: run cgsnap as root");
    } else if (pid == 1) {
        diag_hint(diag, "some kernels and security modules let nobody trace it");
    } else {
        diag_hint(diag, "%s", no_capability);
    }
    return STATUS_IO;
}

/* Returns a child that the thread made and that has its memory, as vfork gives it; 0: none. */
static pid_t child_in_vfork(pid_t pid, pid_t tid)
{
    char text[4096];
    ssize_t n = proc_readf(text, sizeof(text) - 1, "/proc/%d/task/%d/children", (int)pid, (int)tid);
    char *next = text;
    pid_t child;

    text[n > 0 ? n : 0] = '\0';
    while ((child = (pid_t)strtol(next, &next, 10)) > 0)
        if (syscall(SYS_kcmp, tid, child, COMPARE_MEMORY, 0, 0) ==
            0) /* the leader may have ended */
            return child;
    return 0;
}

bool refusal_asleep(pid_t pid, pid_t tid, struct diag *diag)
{
    const pid_t child = child_in_vfork(pid, tid);
    struct proc_stat stat;

    if (proc_read_stat(AT_FDCWD, tid, &stat) <= 0 || stat.state != 'D')
        return false;
    if (child) {
        diag_set(diag, NULL, "thread %d waits in vfork until its child %d calls exec or ends",
                 (int)tid, (int)child);
        diag_hint(diag, "to capture the child: -p %d, or --children", (int)child);
        return true;
    }
    diag_set(diag, NULL, "thread %d is in uninterruptible sleep (state D)", (int)tid);
    diag_hint(diag, "it stops when that ends; try -d");
    return true;
}

enum status refusal_failed(const char *whom, int error, struct diag *diag)
{
    const unsigned scope = yama_scope();

    diag_set(diag, NULL, "cannot attach to %s: %s", whom,
             error == ENOSYS ? "there is no ptrace here" : strerror(error));
    if (error == ENOSYS)
        diag_hint(diag, "a sandbox or an emulator leaves it out (gVisor, seccomp, qemu-user): run "
                        "cgsnap outside of it, or give cgunwind a core");
    else if (error == EPERM && scope >= 2 && (scope == 3 || !may_trace_others()))
        explain_yama(diag, scope);
    else if (error == EPERM)
        diag_hint(diag, "%s", no_capability);
    return STATUS_IO;
}
