/* SPDX-License-Identifier: MIT */
#include "snapshot/pump.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/helper.h"
#include "base/write_all.h"
#include "snapshot/tcp.h"

#define PIPE_SIZE (1 << 20)
/* Bytes read and written at once; less if a reader may be slow, so that progress is seen. */
#define CHUNK_SIZE      (64u << 10)
#define CHUNK_SIZE_SLOW (16u << 10)
#define PENDING_MS      5

/* Shared with the tracer: the pump's state. */
struct pump_report {
    _Atomic uint32_t progress;
    _Atomic int error;
    _Atomic bool closing, over;
};

struct pump_job {
    int from, to;
    pump_begin_fn *begin;
    void *context;
};

struct pump {
    bool is_file;
    int fd;    /* the pipe; -1: ended */
    int alive; /* read end of a pipe that the pump holds open while it lives */
    pid_t pid;
    clockid_t clock; /* of its CPU time */
    bool has_clock;
    struct pump_report *report; /* shared with it */
};

/* Only the pump writes `progress`. */
static void note_progress(struct pump_report *report)
{
    uint32_t progress = atomic_load_explicit(&report->progress, memory_order_relaxed);

    atomic_store_explicit(&report->progress, progress + 1, memory_order_relaxed);
}

/* Copies until the pipe's end. Returns 0, or an errno. */
static int copy(const struct pump_job *job, size_t chunk, struct pump_report *report)
{
    static uint8_t bytes[CHUNK_SIZE];
    bool begun = job->begin == NULL;

    for (;;) {
        ssize_t n = read(job->from, bytes, chunk);
        int error = 0;

        if (n == 0)
            return 0;
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return errno;
        if (!begun)
            error = job->begin(job->context, job->to);
        begun = true;
        if (!error && !write_all(job->to, bytes, (size_t)n))
            error = errno;
        if (error)
            return error;
        note_progress(report);
    }
}

/* Waits until the peer has all: the connection's end loses bytes in the kernel. 0, or an errno. */
static int await_delivery(int fd, struct pump_report *report)
{
    uint64_t pending = 0, before;
    int error;

    for (;;) {
        before = pending;
        error = tcp_pending(fd, &pending);
        if (error || !pending)
            return error;
        if (pending != before)
            note_progress(report);
        poll(NULL, 0, PENDING_MS);
    }
}

static _Noreturn void run(const struct pump_job *job, bool is_file, struct pump_report *report)
{
    int error = copy(job, is_file ? CHUNK_SIZE : CHUNK_SIZE_SLOW, report);

    if (!error)
        error = await_delivery(job->to, report);
    report->closing = true;
    if (close(job->to) != 0 && !error)
        error = errno;
    report->error = error;
    report->over = true;
    _exit(0);
}

/* Prepares the tracer's end of the pipe, which never blocks it. */
static bool prepare_pipe(int fd)
{
    (void)!fcntl(fd, F_SETPIPE_SZ, PIPE_SIZE); /* if allowed; else 64 KiB */
    return fcntl(fd, F_SETFL, O_NONBLOCK) == 0;
}

static enum status start(struct pump_job *job, struct pump *pump)
{
    int data[2], alive[2], keep[3];
    const struct helper_tie tie = {.keep = keep, .keep_count = 3};
    struct stat st;

    pump->is_file = fstat(job->to, &st) == 0 && S_ISREG(st.st_mode);

    if (pipe2(data, O_CLOEXEC) != 0)
        return STATUS_IO;
    if (pipe2(alive, O_CLOEXEC) != 0) {
        close(data[0]);
        close(data[1]);
        return STATUS_IO;
    }
    pump->fd = data[1];
    pump->alive = alive[0];
    job->from = data[0];
    keep[0] = job->from;
    keep[1] = job->to;
    keep[2] = alive[1];
    pump->pid = prepare_pipe(data[1]) ? helper_fork(&tie) : -1;
    if (pump->pid == 0)
        run(job, pump->is_file, pump->report);
    /* Later children do not share it. */
    madvise(pump->report, sizeof(*pump->report), MADV_DONTFORK);
    close(data[0]);
    close(alive[1]);
    pump->has_clock = pump->pid > 0 && clock_getcpuclockid(pump->pid, &pump->clock) == 0;
    return pump->pid > 0 ? STATUS_OK : STATUS_IO;
}

enum status pump_start(int fd, const char *name, pump_begin_fn *begin, void *context,
                       struct pump **out, struct diag *diag)
{
    struct pump_job job = {.to = fd, .begin = begin, .context = context};
    struct pump *pump = calloc(1, sizeof(*pump));

    if (!pump) {
        diag_set(diag, name, "out of memory");
        return STATUS_NO_MEMORY;
    }
    *pump = (struct pump){.fd = -1, .alive = -1, .pid = -1};
    pump->report = mmap(NULL, sizeof(*pump->report), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (pump->report == MAP_FAILED) {
        free(pump);
        diag_set(diag, name, "out of memory");
        return STATUS_NO_MEMORY;
    }
    if (start(&job, pump) != STATUS_OK) {
        diag_set(diag, name, "cannot start the process that writes it: %s", strerror(errno));
        pump_destroy(pump);
        return STATUS_IO;
    }
    *out = pump;
    return STATUS_OK;
}

/* Linux 5.5 and later send SIGIO whenever the pump waits for data, too. */
void pump_watch(struct pump *pump)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGIO);
    sigprocmask(SIG_BLOCK, &set, NULL);
    (void)!fcntl(pump->fd, F_SETOWN, getpid());
    (void)!fcntl(pump->fd, F_SETFL, O_NONBLOCK | O_ASYNC);
}

bool pump_is_file(const struct pump *pump)
{
    return pump->is_file;
}

int pump_fd(const struct pump *pump)
{
    return pump->fd;
}

uint32_t pump_progress(const struct pump *pump)
{
    return pump->report->progress;
}

bool pump_is_closing(const struct pump *pump)
{
    return pump->report->closing;
}

uint64_t pump_usage(const struct pump *pump)
{
    struct timespec used;

    return pump->has_clock && clock_gettime(pump->clock, &used) == 0
               ? (uint64_t)used.tv_sec * 1000000000u + (uint64_t)used.tv_nsec
               : 0;
}

static void close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

bool pump_is_over(struct pump *pump, int *error)
{
    struct pollfd alive = {.fd = pump->alive};
    bool ended = poll(&alive, 1, 0) == 1;

    *error = pump->report->over ? pump->report->error : ECHILD;
    return ended;
}

void pump_end(struct pump *pump)
{
    int error;

    close_fd(&pump->fd);
    if (!pump_is_over(pump, &error))
        kill(pump->pid, SIGCONT); /* even a stopped pump is to write what it has */
}

void pump_destroy(struct pump *pump)
{
    int error;

    if (!pump)
        return;
    if (pump->pid > 0 && !pump_is_over(pump, &error))
        kill(pump->pid, SIGKILL);
    close_fd(&pump->fd);
    close_fd(&pump->alive);
    munmap(pump->report, sizeof(*pump->report));
    free(pump);
}
