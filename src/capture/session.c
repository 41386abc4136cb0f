#include "capture/session.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/vec.h"

uint64_t session_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void session_fail(struct capture *cap, enum status status, const char *format, ...)
{
    char what[sizeof(cap->diag.what)];
    va_list args;

    if (cap->status != STATUS_OK)
        return;
    va_start(args, format);
    vsnprintf(what, sizeof(what), format, args);
    va_end(args);
    cap->status = status;
    diag_set(&cap->diag, NULL, "%s", what);
}

static void close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

struct process *process_find(const struct capture *cap, pid_t pid)
{
    for (size_t i = 0; i < cap->process_len; i++)
        if (cap->processes[i]->pid == pid)
            return cap->processes[i];
    return NULL;
}

struct process *process_add(struct capture *cap, pid_t pid)
{
    struct process *process = calloc(1, sizeof(*process));
    char path[32];

    if (!process || vec_reserve(&cap->processes, &cap->process_cap, cap->process_len + 1,
                                sizeof(struct process *)) != STATUS_OK) {
        free(process);
        session_fail(cap, STATUS_NO_MEMORY, "out of memory");
        return NULL;
    }
    snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
    process->pid = pid;
    process->task_fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    process->statm_fd = -1;
    process->since_ns = session_now();
    cap->processes[cap->process_len++] = process;
    cap->dirty = true;
    return process;
}

static void process_free(struct process *process)
{
    close_fd(&process->task_fd);
    close_fd(&process->statm_fd);
    maps_deinit(&process->maps);
    modules_deinit(&process->modules);
    code_deinit(&process->code);
    free(process->threads);
    free(process);
}

static struct thread **bucket(struct capture *cap, pid_t tid)
{
    return &cap->by_tid[(unsigned)tid % TID_BUCKETS];
}

struct thread *thread_find(const struct capture *cap, pid_t tid)
{
    struct thread *thread = cap->by_tid[(unsigned)tid % TID_BUCKETS];

    while (thread && (thread->tid != tid || thread->ended))
        thread = thread->next;
    return thread;
}

/* Those that came later are found first. */
struct thread *thread_find_last(const struct capture *cap, pid_t tid)
{
    struct thread *thread = cap->by_tid[(unsigned)tid % TID_BUCKETS];

    while (thread && thread->tid != tid)
        thread = thread->next;
    return thread;
}

/* It is found, or has another program. */
static void begin(struct thread *thread)
{
    char path[32], text[512];
    struct proc_stat stat;
    ssize_t n;

    thread->found_ns = session_now();
    thread->named_ns = thread->found_ns;
    snprintf(path, sizeof(path), "%d/stat", (int)thread->tid);
    n = proc_read(thread->process->task_fd, path, text, sizeof(text));
    if (n > 0 && proc_parse_stat(text, (size_t)n, &stat)) {
        memcpy(thread->name, stat.name, sizeof(thread->name));
        thread->start_ticks = stat.start_ticks;
    }
}

struct thread *thread_add(struct capture *cap, struct process *process, pid_t tid)
{
    struct thread *thread = calloc(1, sizeof(*thread));

    if (!thread || vec_reserve(&process->threads, &process->thread_cap, process->thread_len + 1,
                               sizeof(struct thread *)) != STATUS_OK) {
        free(thread);
        session_fail(cap, STATUS_NO_MEMORY, "out of memory");
        return NULL;
    }
    thread->tid = tid;
    thread->process = process;
    thread->schedstat_fd = -1;
    thread->syscall_fd = -1;
    thread->next = *bucket(cap, tid);
    *bucket(cap, tid) = thread;
    process->threads[process->thread_len++] = thread;
    process->live++;
    process->rest_known = false;
    begin(thread);
    cap->result.threads++;
    cap->dirty = true;
    return thread;
}

void thread_answered(struct capture *cap, struct thread *thread)
{
    if (thread->asked)
        cap->asked--;
    thread->asked = false;
    thread->rounds_missed = 0;
}

void thread_ended(struct capture *cap, struct thread *thread)
{
    thread->ended = true;
    thread->held = false;
    thread->process->live--;
    thread->process->rest_known = false;
    if (thread->asked)
        cap->asked--;
    cap->dirty = true;
}

/* Forgets what an earlier program image left: open files, stack base. */
static void reset(struct thread *thread)
{
    close_fd(&thread->schedstat_fd);
    close_fd(&thread->syscall_fd);
    delta_base_clear(&thread->base);
    thread->sampled = false;
    thread->cpu_known = false;
    thread->lock.size = 0;
    thread->wait_count = 0;
    thread->was_blocked = false;
    thread->handles = false;
    thread->set_back = 0;
    thread->same = false;
    thread->dormant = false;
}

void thread_begin_anew(struct thread *thread)
{
    reset(thread);
    begin(thread);
}

static void thread_free(struct capture *cap, struct thread *thread)
{
    struct thread **link = bucket(cap, thread->tid);

    while (*link != thread)
        link = &(*link)->next;
    *link = thread->next;
    reset(thread);
    delta_base_deinit(&thread->base);
    free(thread);
}

void session_sweep(struct capture *cap)
{
    size_t kept_processes = 0;

    if (!cap->sweepable)
        return;
    cap->sweepable = false;
    for (size_t i = 0; i < cap->process_len; i++) {
        struct process *process = cap->processes[i];
        size_t kept = 0;
        for (size_t k = 0; k < process->thread_len; k++) {
            if (process->threads[k]->end_written)
                thread_free(cap, process->threads[k]);
            else
                process->threads[kept++] = process->threads[k];
        }
        process->thread_len = kept;
        if (kept)
            cap->processes[kept_processes++] = process;
        else
            process_free(process);
    }
    cap->process_len = kept_processes;
}

void session_deinit(struct capture *cap)
{
    for (size_t i = 0; i < cap->process_len; i++)
        for (size_t k = 0; k < cap->processes[i]->thread_len; k++)
            cap->processes[i]->threads[k]->end_written = true;
    cap->sweepable = true;
    session_sweep(cap);
    free(cap->processes);
    free(cap->pending);
    stack_arena_deinit(&cap->arena);
    delta_deinit(&cap->delta);
}
