/* SPDX-License-Identifier: MIT */
#include "capture/ptrace/family.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/procfs.h"
#include "base/vec.h"
#include "capture/ptrace/attach.h"
#include "capture/ptrace/refusal.h"

#define CGROUPS   "/sys/fs/cgroup"
#define DEPTH_MAX 16    /* nested cgroups */
#define PIDS_MAX  65536 /* in a list; others are left out */
/* Passes over lists, which may grow meanwhile; after more something is wrong. */
#define PASSES_MAX 100u

struct pid_list {
    pid_t *items; /* owned */
    size_t count, cap;
};

struct refused_process {
    pid_t pid;
    uint64_t start_ticks; /* tells it from a later process with its number */
};

struct process_family {
    struct refused_process *refused; /* owned; not to be tried again */
    size_t refused_count, refused_cap;
    struct diag refusal; /* why the first was refused */
};

static bool has(const struct pid_list *list, pid_t pid)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i] == pid)
            return true;
    return false;
}

static enum status add(struct pid_list *list, pid_t pid)
{
    if (list->count >= PIDS_MAX)
        return STATUS_OK;
    if (vec_reserve(&list->items, &list->cap, list->count + 1, sizeof(*list->items)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    list->items[list->count++] = pid;
    return STATUS_OK;
}

/* Opens a cgroup's directory, which has its list of processes. */
static int open_directory(const char *root, const char *path)
{
    char whole[PATH_MAX];
    int fd;

    if ((size_t)snprintf(whole, sizeof(whole), "%s/%s", root, path) >= sizeof(whole))
        return -1;
    fd = open(whole, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0 || faccessat(fd, "cgroup.procs", F_OK, 0) == 0)
        return fd;
    close(fd);
    errno = ENOENT;
    return -1;
}

/* Opens a cgroup by its name in /proc/PID/cgroup (version 2, or systemd's), or by its path. */
static int open_cgroup(const char *path)
{
    static const char *const roots[] = {CGROUPS, CGROUPS "/unified", CGROUPS "/systemd"};
    int fd = path[0] == '/' ? open_directory("", path) : -1;

    for (size_t i = 0; i < sizeof(roots) / sizeof(roots[0]) && fd < 0; i++)
        fd = open_directory(roots[i], path);
    return fd;
}

static enum status list_file(int cgroup, struct pid_list *list)
{
    const int fd = openat(cgroup, "cgroup.procs", O_RDONLY | O_CLOEXEC);
    FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;
    enum status status = STATUS_OK;
    int pid;

    /* Processes of other PID namespaces are 0. A threaded cgroup's list cannot be read. */
    while (file && status == STATUS_OK && fscanf(file, "%d", &pid) == 1)
        if (pid > 0)
            status = add(list, pid);
    if (file)
        fclose(file);
    else if (fd >= 0)
        close(fd);
    return status;
}

/* Lists the processes of a cgroup and its nested ones. Closes `cgroup`. */
static enum status list_cgroup(int cgroup, unsigned depth, struct pid_list *list)
{
    enum status status = list_file(cgroup, list);
    DIR *dir = fdopendir(cgroup);
    struct dirent *entry;

    if (!dir)
        close(cgroup);
    while (dir && status == STATUS_OK && depth < DEPTH_MAX && (entry = readdir(dir))) {
        int inner;

        if (entry->d_type != DT_DIR || entry->d_name[0] == '.')
            continue;
        inner = openat(dirfd(dir), entry->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (inner >= 0)
            status = list_cgroup(inner, depth + 1, list);
    }
    if (dir)
        closedir(dir);
    return status;
}

/* Lists all processes, and their parents at the same indices. */
static enum status list_parents(struct pid_list *pids, struct pid_list *parents)
{
    DIR *dir = opendir("/proc");
    enum status status = STATUS_OK;
    struct dirent *entry;

    while (dir && status == STATUS_OK && (entry = readdir(dir))) {
        const pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
        struct proc_stat stat;

        if (pid <= 0 || proc_read_stat(AT_FDCWD, pid, &stat) <= 0)
            continue;
        status = add(pids, pid);
        if (status == STATUS_OK)
            status = add(parents, (pid_t)stat.parent_pid);
    }
    if (dir)
        closedir(dir);
    return status;
}

/* Adds all descendants of the processes in the list. */
static enum status list_descendants(struct pid_list *list)
{
    struct pid_list pids = {0}, parents = {0};
    enum status status = list_parents(&pids, &parents);

    for (size_t i = 0; i < list->count && status == STATUS_OK; i++)
        for (size_t k = 0; k < pids.count && status == STATUS_OK; k++)
            if (parents.items[k] == list->items[i] && !has(list, pids.items[k]))
                status = add(list, pids.items[k]);
    free(pids.items);
    free(parents.items);
    return status;
}

static enum status list_all(const struct capture_options *options, struct pid_list *list)
{
    enum status status = options->pid ? add(list, options->pid) : STATUS_OK;
    const int cgroup = options->cgroup ? open_cgroup(options->cgroup) : -1;

    for (size_t i = 0; i < options->more_count && status == STATUS_OK; i++)
        status = add(list, options->more_pids[i]);
    if (cgroup >= 0 && status == STATUS_OK)
        status = list_cgroup(cgroup, 0, list);
    else if (cgroup >= 0)
        close(cgroup);
    return status == STATUS_OK && options->children ? list_descendants(list) : status;
}

/* Is it cgsnap, or a process that it has started? */
static bool is_own(pid_t pid, const struct proc_stat *stat)
{
    return pid == getpid() || stat->parent_pid == (uint32_t)getpid();
}

static bool is_known(struct ptrace_state *st, pid_t pid)
{
    return st->host->find_thread(st->host->context, pid) || tracee_holds(st, pid);
}

static bool was_refused(const struct process_family *family, pid_t pid, uint64_t start_ticks)
{
    for (size_t i = 0; i < family->refused_count; i++)
        if (family->refused[i].pid == pid && family->refused[i].start_ticks == start_ticks)
            return true;
    return false;
}

/* Are there descriptors for another process, without touching the reserve? */
static bool has_files(const struct ptrace_state *st, struct diag *diag)
{
    const int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

    if (fd >= 0)
        close(fd);
    if (fd >= 0 && fd < st->fd_max)
        return true;
    diag_set(diag, NULL, "too many open files");
    diag_hint(diag, "raise the limit: ulimit -n");
    return false;
}

static enum status attach(struct ptrace_state *st, pid_t pid, struct target_machine *machine,
                          struct diag *diag)
{
    enum status status;

    *diag = (struct diag){.has_off = false};
    if (!has_files(st, diag))
        return STATUS_IO;
    if (st->regs)
        return attach_more(st, pid, diag);
    status = attach_first(st, pid, machine, diag);
    if (status != STATUS_OK && !tracee_holds(st, pid))
        st->regs = NULL; /* another process decides the machine */
    return status;
}

static enum status refuse(struct process_family *family, pid_t pid, uint64_t start_ticks,
                          const struct diag *diag)
{
    if (!family->refused_count)
        family->refusal = *diag;
    if (vec_reserve(&family->refused, &family->refused_cap, family->refused_count + 1,
                    sizeof(*family->refused)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    family->refused[family->refused_count++] = (struct refused_process){pid, start_ticks};
    return STATUS_OK;
}

/* Attaches to a process. One that was not asked for by number may have ended, or be refused. */
static enum status try_one(struct ptrace_state *st, pid_t pid, struct target_machine *machine,
                           size_t *found)
{
    struct proc_stat stat;
    struct diag diag;
    enum status status;

    if (st->host->find_thread(st->host->context, pid) ||
        proc_read_stat(AT_FDCWD, pid, &stat) <= 0 || stat.state == 'Z' ||
        stat.flags & PROC_FLAG_KTHREAD || is_own(pid, &stat) ||
        was_refused(st->family, pid, stat.start_ticks) || is_known(st, pid))
        return STATUS_OK;
    status = attach(st, pid, machine, &diag);
    *found += status == STATUS_OK;
    switch (status) {
    case STATUS_OK:
    case STATUS_NO_MEMORY:
        return status;
    case STATUS_NOT_FOUND:
    case STATUS_BUSY: /* next time */
        return STATUS_OK;
    default:
        return refuse(st->family, pid, stat.start_ticks, &diag);
    }
}

/* Attaches until there are no new processes. */
static enum status try_all(struct ptrace_state *st, struct target_machine *machine)
{
    enum status status = STATUS_OK;
    size_t found = 1;

    for (unsigned pass = 0; found && pass < PASSES_MAX && status == STATUS_OK; pass++) {
        struct pid_list list = {0};

        status = list_all(st->options, &list);
        found = 0;
        for (size_t i = 0; i < list.count && status == STATUS_OK; i++)
            status = try_one(st, list.items[i], machine, &found);
        free(list.items);
    }
    return status;
}

enum status family_check(const struct capture_options *options, struct diag *diag)
{
    enum status status = STATUS_OK;
    int cgroup;

    for (size_t i = 0; i < options->more_count && status == STATUS_OK; i++)
        if (!refusal_obvious(options->more_pids[i], diag, &status))
            status = refusal_certain(options->more_pids[i], diag);
    if (!options->cgroup || status != STATUS_OK)
        return status;
    cgroup = open_cgroup(options->cgroup);
    if (cgroup >= 0) {
        close(cgroup);
        return STATUS_OK;
    }
    diag_set(diag, options->cgroup, "no such cgroup below " CGROUPS ": %s", strerror(errno));
    diag_hint(diag, "systemd-cgls and /proc/PID/cgroup tell their names");
    return STATUS_NOT_FOUND;
}

enum status family_attach(struct ptrace_state *st, struct target_machine *machine,
                          struct diag *diag)
{
    const struct capture_options *options = st->options;
    enum status status = options->pid ? attach_first(st, options->pid, machine, diag) : STATUS_OK;

    for (size_t i = 0; i < options->more_count && status == STATUS_OK; i++)
        if (!is_known(st, options->more_pids[i]))
            status = attach(st, options->more_pids[i], machine, diag);
    if (status != STATUS_OK || (!options->children && !options->cgroup))
        return status;
    st->family = calloc(1, sizeof(*st->family));
    status = st->family ? try_all(st, machine) : STATUS_NO_MEMORY;
    if (status != STATUS_OK || st->regs)
        return status;
    *diag = st->family->refusal;
    if (!diag->what[0])
        diag_set(diag, options->cgroup, "no process is in that cgroup");
    return STATUS_NOT_FOUND;
}

void family_destroy(struct process_family *family)
{
    if (!family)
        return;
    free(family->refused);
    free(family);
}

size_t family_find_more(void *state, struct diag *refusal)
{
    struct ptrace_state *st = state;
    struct target_machine machine;

    if (!st->family)
        return 0;
    (void)!try_all(st, &machine); /* the host knows that there is no memory */
    *refusal = st->family->refusal;
    return st->family->refused_count;
}
