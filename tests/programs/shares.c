/* SPDX-License-Identifier: MIT */
/*
 * Threads that measure what share of their CPU time each of their functions has, and tell it at the
 * end. Between functions that compute they do what takes a thread off its CPU, or makes others
 * ready: that is where samples of CPU time are wrong first.
 *
 * usage: shares THREADS SECONDS      "ready" when all run; at the end a line "NAME CPU-NS WALL-NS"
 *                                    for each function
 */
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#define THREADS_MAX 64
#define UNIT_NS     4000 /* of CPU time: a hundredth of a round */

enum { ALPHA, WAKE, BETA, LOCK, YIELD, GAMMA, FUNCTIONS };
static const char *const names[FUNCTIONS] = {"alpha",  "wake",  "beta",
                                             "locked", "yield", "gamma_rays"};

struct share {
    uint64_t cpu_ns, wall_ns;
};

static struct share shares[THREADS_MAX][FUNCTIONS], clocks;
static int events[THREADS_MAX];
static int thread_count;
static volatile uint64_t end_ns = UINT64_MAX;
static uint64_t turns; /* of a loop, for UNIT_NS */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t begun;

static uint64_t now(clockid_t clock)
{
    struct timespec time;

    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void compute(uint64_t units)
{
    for (volatile uint64_t i = 0; i < units * turns; i++)
        ;
}

static __attribute__((noinline)) void alpha(int self)
{
    (void)self;
    compute(52);
    __asm__ volatile("");
}

static __attribute__((noinline)) void wake(int self)
{
    uint64_t one = 1;

    if (write(events[(self + 1) % thread_count], &one, sizeof(one)) < 0)
        abort();
    __asm__ volatile("");
}

static __attribute__((noinline)) void beta(int self)
{
    (void)self;
    compute(31);
    __asm__ volatile("");
}

static __attribute__((noinline)) void locked(int self)
{
    (void)self;
    pthread_mutex_lock(&mutex);
    compute(5);
    pthread_mutex_unlock(&mutex);
    __asm__ volatile("");
}

static __attribute__((noinline)) void yield(int self)
{
    (void)self;
    sched_yield();
    __asm__ volatile("");
}

static __attribute__((noinline)) void gamma_rays(int self)
{
    (void)self;
    compute(10);
    __asm__ volatile("");
}

static void (*const functions[FUNCTIONS])(int) = {alpha, wake, beta, locked, yield, gamma_rays};

static struct share measure(void (*function)(int), int self)
{
    uint64_t cpu_ns = now(CLOCK_THREAD_CPUTIME_ID), wall_ns = now(CLOCK_MONOTONIC);

    function(self);
    wall_ns = now(CLOCK_MONOTONIC) - wall_ns;
    return (struct share){.cpu_ns = now(CLOCK_THREAD_CPUTIME_ID) - cpu_ns, .wall_ns = wall_ns};
}

static __attribute__((noinline)) void nothing(int self)
{
    (void)self;
    __asm__ volatile("");
}

static uint64_t less(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* What looking at the clocks takes is no function's. */
static struct share measure_nothing(void)
{
    struct share least = {UINT64_MAX, UINT64_MAX};

    for (int i = 0; i < 1000; i++) {
        struct share share = measure(nothing, 0);

        least.cpu_ns = less(least.cpu_ns, share.cpu_ns);
        least.wall_ns = less(least.wall_ns, share.wall_ns);
    }
    return least;
}

static void *work(void *arg)
{
    int self = (int)(intptr_t)arg;
    uint64_t count;

    pthread_barrier_wait(&begun);
    while (now(CLOCK_MONOTONIC) < end_ns) {
        for (int i = 0; i < FUNCTIONS; i++) {
            struct share share = measure(functions[i], self);

            shares[self][i].cpu_ns += share.cpu_ns - less(share.cpu_ns, clocks.cpu_ns);
            shares[self][i].wall_ns += share.wall_ns - less(share.wall_ns, clocks.wall_ns);
        }
        if (read(events[self], &count, sizeof(count)) < 0)
            continue; /* nobody has written */
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS_MAX];
    struct share sum;
    uint64_t cpu_ns, seconds;

    if (argc != 3)
        return 2;
    thread_count = atoi(argv[1]);
    seconds = strtoull(argv[2], NULL, 10);
    if (thread_count < 1 || thread_count > THREADS_MAX)
        return 2;
    turns = 100000;
    cpu_ns = now(CLOCK_THREAD_CPUTIME_ID);
    compute(10);
    cpu_ns = now(CLOCK_THREAD_CPUTIME_ID) - cpu_ns;
    turns = turns * 10 * UNIT_NS / cpu_ns + 1;
    clocks = measure_nothing();
    pthread_barrier_init(&begun, NULL, (unsigned)thread_count + 1);
    for (int i = 0; i < thread_count; i++)
        events[i] = eventfd(0, EFD_NONBLOCK);
    for (int i = 0; i < thread_count; i++)
        if (pthread_create(&threads[i], NULL, work, (void *)(intptr_t)i) != 0)
            return 1;
    pthread_barrier_wait(&begun);
    end_ns = now(CLOCK_MONOTONIC) + seconds * 1000000000;
    puts("ready");
    fflush(stdout);
    for (int i = 0; i < thread_count; i++)
        pthread_join(threads[i], NULL);
    for (int k = 0; k < FUNCTIONS; k++) {
        memset(&sum, 0, sizeof(sum));
        for (int i = 0; i < thread_count; i++) {
            sum.cpu_ns += shares[i][k].cpu_ns;
            sum.wall_ns += shares[i][k].wall_ns;
        }
        printf("%s %llu %llu\n", names[k], (unsigned long long)sum.cpu_ns,
               (unsigned long long)sum.wall_ns);
    }
    return 0;
}
