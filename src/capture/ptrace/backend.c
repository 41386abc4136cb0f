/* SPDX-License-Identifier: MIT */
#include "capture/ptrace/backend.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "capture/ptrace/activity.h"
#include "capture/ptrace/attach.h"
#include "capture/ptrace/bundler.h"
#include "capture/ptrace/cpu_clock.h"
#include "capture/ptrace/facts.h"
#include "capture/ptrace/family.h"
#include "capture/ptrace/files.h"
#include "capture/ptrace/jit_watch.h"
#include "capture/ptrace/map_facts.h"
#include "capture/ptrace/page_table.h"
#include "capture/ptrace/reattach.h"
#include "capture/ptrace/refusal.h"
#include "capture/ptrace/tracing.h"
#include "capture/ptrace/tracees.h"

#define SECOND_NS UINT64_C(1000000000)
/* Descriptors that are not kept open for threads, so that other files can be read. */
#define FD_RESERVE 32

/*
 * Blocks SIGCHLD, which reports stops, to be waited for. If it were ignored, as may be inherited,
 * the kernel would not send it.
 */
static void prepare_signals(void)
{
    sigset_t child;

    signal(SIGCHLD, SIG_DFL);
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, NULL);
}

/* Raises the limit of open files: three for each thread save time, two if they are scarce. */
static void prepare_files(struct ptrace_state *st)
{
    struct rlimit files = {.rlim_cur = 0};

    if (prlimit(0, RLIMIT_NOFILE, NULL, &files) == 0 && files.rlim_cur < files.rlim_max) {
        rlim_t before = files.rlim_cur;
        files.rlim_cur = files.rlim_max;
        if (prlimit(0, RLIMIT_NOFILE, &files, NULL) != 0)
            files.rlim_cur = before;
    }
    st->fd_max = files.rlim_cur < INT_MAX ? (int)files.rlim_cur - FD_RESERVE : INT_MAX;
    st->keep_fds = st->fd_max > 0;
}

static enum status check(const struct capture_options *options, struct diag *diag)
{
    enum status status = STATUS_OK;

    if (options->pid && !refusal_obvious(options->pid, diag, &status) && !options->tid_count)
        status = refusal_certain(options->pid, diag);
    return status == STATUS_OK ? family_check(options, diag) : status;
}

static enum status start(const struct capture_options *options, const struct backend_host *host,
                         struct target_machine *machine, void **state, struct diag *diag)
{
    struct ptrace_state *st = calloc(1, sizeof(*st));
    enum status status;

    if (!st) {
        diag_set(diag, NULL, "out of memory");
        return STATUS_NO_MEMORY;
    }
    *state = st;
    st->options = options;
    st->host = host;
    st->has_schedstat = activity_has_schedstat();
    st->files = files_start();
    if (CAPTURE_BUNDLES && options->bundle && !(st->bundler = bundler_start())) {
        diag_set(diag, NULL, "cannot start a process to read files for --bundle: %s",
                 strerror(errno));
        return STATUS_IO;
    }
    if (options->command) {
        /* The command inherits none of our settings: it is forked before they are made. */
        status = attach_command(st, machine, diag);
        prepare_signals();
        prepare_files(st);
        return status;
    }
    prepare_signals();
    prepare_files(st);
    return family_attach(st, machine, diag);
}

/* The kernel detaches all threads at our exit. */
static void destroy(void *state)
{
    struct ptrace_state *st = state;

    if (st->command && !st->command_runs)
        kill(st->command, SIGKILL);
    files_destroy(st->files);
    if (CAPTURE_BUNDLES)
        bundler_destroy(st->bundler);
    jit_watch_destroy(st->jit_watch);
    cpu_clock_stop(st);
    free(st->waited.items);
    family_destroy(st->family);
    free(st);
}

static void signal_command(void *state, int signal)
{
    const struct ptrace_state *st = state;

    if (st->command)
        kill(st->command, signal);
}

static int wait_for(void *state, const sigset_t *signals, uint64_t until_ns)
{
    const struct ptrace_state *st = state;
    uint64_t now = clock_now_ns();
    uint64_t left = until_ns > now ? until_ns - now : 0;
    struct timespec timeout = {.tv_sec = (time_t)(left / SECOND_NS),
                               .tv_nsec = (long)(left % SECOND_NS)};
    sigset_t set = *signals;
    siginfo_t info;
    int signal;

    if (CAPTURE_BUNDLES && st->bundler)
        bundler_flush(st->bundler);
    sigaddset(&set, SIGCHLD);
    signal = sigtimedwait(&set, &info, &timeout);
    if (signal < 0)
        return errno == EINTR ? WAIT_STOPPED : WAIT_PASSED;
    return signal == SIGCHLD ? WAIT_EVENTS : signal;
}

static enum status registers(void *state, struct target_thread *thread, uint64_t *values,
                             uint64_t *thread_pointer)
{
    struct ptrace_state *st = state;
    enum status status = regset_read(thread->tid, &st->regset);

    st->regset_of = NULL;
    if (status != STATUS_OK)
        return status;
    if (st->regset.size != regset_size(st->regs->arch))
        return STATUS_UNSUPPORTED;
    st->regset_of = thread;
    regset_decode(&st->regset, st->regs->arch, values);
    *thread_pointer = st->regs->thread_pointer(thread->tid, &st->regset);
    return STATUS_OK;
}

static enum status memory(void *state, pid_t tid, const struct target_memory *pieces, size_t count,
                          void *buffer, size_t *done)
{
    struct iovec remote[TARGET_PIECES_MAX];
    struct iovec local = {.iov_base = buffer};
    ssize_t n;

    (void)state;
    *done = 0;
    assert(count <= TARGET_PIECES_MAX);
    for (size_t i = 0; i < count; i++) {
        remote[i] = (struct iovec){.iov_base = (void *)(uintptr_t)pieces[i].addr,
                                   .iov_len = pieces[i].size};
        local.iov_len += pieces[i].size;
    }
    n = process_vm_readv(tid, &local, 1, remote, count, 0);
    if (n < 0 && errno != EFAULT)
        return errno == ESRCH ? STATUS_NOT_FOUND : STATUS_IO;
    *done = n > 0 ? (size_t)n : 0;
    return *done == local.iov_len ? STATUS_OK : STATUS_FAULT;
}

static bool explain_running(void *state, const struct target_thread *thread, struct diag *diag)
{
    (void)state;
    return refusal_asleep(thread->process->pid, thread->tid, diag);
}

static void describe_map(void *state, pid_t tid, const struct maps *maps, size_t exec,
                         struct map_facts *out)
{
    const struct ptrace_state *st = state;

    map_facts_find(st->files, tid, maps, exec, out);
}

#if CAPTURE_BUNDLES
static void keep_file(void *state, pid_t tid, const struct exec_map *map,
                      const struct map_facts *facts)
{
    const struct ptrace_state *st = state;

    bundler_keep(st->bundler, tid, map, facts);
}

static enum status next_kept(void *state, int wait_ms, const struct kept **out)
{
    const struct ptrace_state *st = state;

    return bundler_next(st->bundler, wait_ms, out);
}
#endif

static ssize_t read_names(void *state, const struct target_process *process, pid_t tid,
                          uint64_t off, struct names_part *out)
{
    const struct ptrace_state *st = state;

    return files_read_names(st->files, process->pid, tid, off, out);
}

static void close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static void begin_process(void *state, struct target_process *process)
{
    struct ptrace_process *own = ptrace_process_of(process);
    char path[32];

    (void)state;
    snprintf(path, sizeof(path), "/proc/%d/task", (int)process->pid);
    own->task_fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    own->statm_fd = -1;
    own->mem_fd = -1;
}

static void forget_process(void *state, struct target_process *process)
{
    const struct ptrace_state *st = state;

    (void)st;
    jit_watch_forget(st->jit_watch, process->pid);
    close_fd(&ptrace_process_of(process)->task_fd);
    close_fd(&ptrace_process_of(process)->statm_fd);
    if (ptrace_was_left(process))
        tracee_forget_program(process);
}

static void begin_thread(void *state, struct target_thread *thread)
{
    (void)state;
    ptrace_thread_of(thread)->schedstat_fd = -1;
    ptrace_thread_of(thread)->syscall_fd = -1;
    ptrace_thread_of(thread)->stat_fd = -1;
}

/* What stays in `own`, of the last sample's stop, holds also after an exec. */
static void forget_thread(void *state, struct target_thread *thread)
{
    struct ptrace_thread *own = ptrace_thread_of(thread);
    struct ptrace_state *st = state;

    close_fd(&own->schedstat_fd);
    close_fd(&own->syscall_fd);
    close_fd(&own->stat_fd);
    own->was_blocked = false;
    own->handles = false;
    own->set_back = 0;
    if (st->regset_of == thread)
        st->regset_of = NULL;
}

const struct capture_backend ptrace_backend = {
    .can = BACKEND_STOPS_ONE_THREAD | BACKEND_STATES | BACKEND_CPU_TIMES | BACKEND_CREATIONS,
    .process_size = sizeof(struct ptrace_process),
    .thread_size = sizeof(struct ptrace_thread),
    .check = check,
    .start = start,
    .attach_again = attach_again,
    .find_more = family_find_more,
    .holds = tracee_holds,
    .destroy = destroy,
    .signal_command = signal_command,
    .wait = wait_for,
    .next = tracing_next,
    .interrupt = tracing_interrupt,
    .is_gone = tracee_is_gone,
    .resume = tracing_resume,
    .detach = tracing_detach,
    .leave = reattach_leave,
    .reattach = reattach_thread,
    .list_threads = reattach_list,
    .program = tracee_program,
    .explain_running = explain_running,
    .find_made = tracing_find_made,
    .registers = registers,
    .memory = memory,
    .own_pages = page_table_own,
    .activity = activity_read,
    .settle_activity = activity_settle,
    .is_in_call = activity_is_in_call,
    .usage = activity_usage,
    .usage_stopped = activity_usage_stopped,
    .has_run = activity_has_run,
    .last_cpu = activity_last_cpu,
    .process_usage = activity_process_usage,
    .clock_start = cpu_clock_start,
    .clock_run = cpu_clock_run,
    .clock_set_period = cpu_clock_set_period,
    .clock_next = cpu_clock_next,
    .clock_mapped = cpu_clock_mapped,
    .clock_lost = cpu_clock_lost,
    .clock_stop = cpu_clock_stop,
    .identify = facts_identify,
    .inner_tid = facts_inner_tid,
    .describe = facts_describe,
    .read_maps = facts_read_maps,
    .maps_size = facts_maps_size,
    .describe_map = describe_map,
    .read_names = read_names,
#if CAPTURE_BUNDLES
    .keep_file = keep_file,
    .next_kept = next_kept,
#endif
    .ask_symbol_files = jit_watch_ask,
    .next_symbol_file = jit_watch_next,
    .read_fd = facts_read_fd,
    .begin_process = begin_process,
    .begin_thread = begin_thread,
    .forget_thread = forget_thread,
    .forget_process = forget_process,
};
