/* SPDX-License-Identifier: MIT */
/*
 * A capture takes its memory at its start. The linker gives calls of malloc and its kin to the
 * functions here (tests/CMakeLists.txt), which count.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "unit_test.h"
#include "capture/budget.h"
#include "capture/capture.h"
#include "capture/ptrace/backend.h"
#include "snapshot/pump.h"
#include "snapshot/tcp.h"

#define THREADS   50
#define DEPTH_MAX 40
/*
 * From the capture's begin: its start, in which it may allocate, and all of it. Mappings are read
 * again after two seconds.
 */
#define START_MS    1300
#define DURATION_MS 1900
/* On a busy machine a thread may be sampled late for the first time: try again then. */
#define ATTEMPTS 3

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);

static uint64_t begin_ms;
static unsigned early, late;

static uint64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void count(void)
{
    if (begin_ms && now_ms() - begin_ms >= START_MS)
        late++;
    else
        early++;
}

void *__wrap_malloc(size_t size)
{
    count();
    return __real_malloc(size);
}

void *__wrap_calloc(size_t number, size_t size)
{
    count();
    return __real_calloc(number, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    count();
    return __real_realloc(old, size);
}

static volatile unsigned sink;

/* Stacks of the greatest depth at first, then of all, many times a second. */
__attribute__((noinline)) static void descend(unsigned depth)
{
    volatile char frame[256];

    frame[0] = (char)depth;
    if (depth)
        descend(depth - 1);
    else
        usleep(2000);
    sink += (unsigned)frame[0];
}

static void *work(void *arg)
{
    uint64_t deep_until_ms = now_ms() + START_MS;

    for (unsigned round = (unsigned)(uintptr_t)arg;; round++)
        descend(now_ms() < deep_until_ms ? DEPTH_MAX - 1 : round % DEPTH_MAX);
    return NULL;
}

static _Noreturn void target(void)
{
    pthread_attr_t attr;
    pthread_t thread;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, 256 << 10);
    for (uintptr_t i = 1; i < THREADS; i++)
        pthread_create(&thread, &attr, work, (void *)i);
    work(NULL);
    _exit(1);
}

struct outcome {
    enum status status;
    unsigned early, late;
    uint64_t samples, threads;
};

/* In a process of its own: a capture reaps all children and blocks signals. */
static _Noreturn void tracer(pid_t pid, int to, bool with_code, int out)
{
    const struct capture_options options = {.backend = &ptrace_backend,
                                            .pid = pid,
                                            .rate_mhz = 99000,
                                            .duration_ns = DURATION_MS * UINT64_C(1000000),
                                            .stack_size = 8 << 20,
                                            .overhead = BUDGET_ALL,
                                            .with_code = with_code};
    struct capture_result result = {0};
    struct capture *cap = NULL;
    struct diag diag = {0};
    struct outcome outcome = {0};
    struct pump *pump = NULL;

    begin_ms = now_ms();
    outcome.status = pump_start(to, "nowhere", NULL, NULL, &pump, &diag);
    if (outcome.status == STATUS_OK)
        outcome.status = capture_start(&options, &cap, &diag);
    if (outcome.status == STATUS_OK)
        outcome.status = capture_run(cap, pump, "nowhere", &result, &diag);
    outcome.early = early;
    outcome.late = late;
    outcome.samples = result.samples;
    outcome.threads = result.threads;
    _exit(write(out, &outcome, sizeof(outcome)) != sizeof(outcome));
}

static struct outcome attempt(int to, bool with_code)
{
    struct outcome outcome = {0};
    pid_t traced, tracing;
    int pipes[2];

    assert_int_equal(pipe(pipes), 0);
    traced = fork();
    assert_true(traced >= 0);
    if (!traced)
        target();
    usleep(200000);
    tracing = fork();
    assert_true(tracing >= 0);
    if (!tracing)
        tracer(traced, to, with_code, pipes[1]);
    waitpid(tracing, NULL, 0);
    kill(traced, SIGKILL);
    waitpid(traced, NULL, 0);
    assert_int_equal(read(pipes[0], &outcome, sizeof(outcome)), sizeof(outcome));
    close(pipes[0]);
    close(pipes[1]);
    if (outcome.status == STATUS_IO)
        skip(); /* ptrace is forbidden here */
    assert_int_equal(outcome.status, STATUS_OK);
    assert_int_equal(outcome.threads, THREADS);
    assert_true(outcome.samples > THREADS * 20);
    assert_true(outcome.early > THREADS); /* they are counted */
    return outcome;
}

static void check(int to, bool with_code)
{
    struct outcome outcome = attempt(to, with_code);

    for (unsigned i = 1; i < ATTEMPTS && outcome.late > 0; i++)
        outcome = attempt(to, with_code);
    assert_int_equal(outcome.late, 0);
}

TEST(capture_does_not_allocate_once_it_runs)
{
    int null = open("/dev/null", O_WRONLY);

    check(null, false);
    close(null);
}

TEST(capture_with_code_does_not_allocate_once_it_runs)
{
    int null = open("/dev/null", O_WRONLY);

    check(null, true);
    close(null);
}

TEST(capture_to_a_tcp_peer_does_not_allocate_once_it_runs)
{
    struct diag diag;
    char name[32], bytes[4096];
    int listener, reader, writer;
    uint16_t port;
    pid_t peer;

    assert_int_equal(tcp_listen("tcp-listen:127.0.0.1:0", &listener, &port, &diag), STATUS_OK);
    snprintf(name, sizeof(name), "tcp:127.0.0.1:%u", port);
    assert_int_equal(tcp_connect(name, &writer, &diag), STATUS_OK);
    reader = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    assert_true(reader >= 0);
    close(listener);
    peer = fork();
    assert_true(peer >= 0);
    if (!peer) {
        close(writer);
        while (read(reader, bytes, sizeof(bytes)) > 0)
            ;
        _exit(0);
    }
    close(reader);
    check(writer, false);
    close(writer);
    waitpid(peer, NULL, 0);
}
