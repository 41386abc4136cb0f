/* SPDX-License-Identifier: MIT */
/*
 * Threads that compute in one function, then, all at the same time, in another, and measure what
 * CPU time each of the two has had. Where in *time* a sampler puts CPU time decides about their
 * shares:
 *
 *     thread 0  |first_phase|------------second_phase------------|
 *     thread 1  |first_phase|------------second_phase------------|
 *     ...       0         FIRST                            FIRST + SECOND
 *
 * usage: phases [THREADS [FIRST SECOND]]      seconds, default 4, 3 and 9
 *
 * "ready" when all threads are there. A line on standard input begins the phases; at their end
 * there is a line "NAME CPU-NS WALL-NS" for each function, both summed over the threads. All
 * threads only wait for a moment before and behind the phases. It ends with standard input, so that
 * who samples it can end first.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define THREADS_MAX 64
#define TURNS       2000      /* of a loop, between two looks at the clock */
#define REST_NS     200000000 /* a sampler sees the threads before and once more */

enum { FIRST, SECOND, PHASES };
static const char *const names[PHASES] = {"first_phase", "second_phase"};

struct share {
    uint64_t cpu_ns, wall_ns;
};

static struct share shares[THREADS_MAX][PHASES];
static uint64_t end_ns[PHASES];
static pthread_barrier_t begun, done, ended;

static uint64_t now(clockid_t clock)
{
    struct timespec time;

    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void compute(void)
{
    for (volatile int i = 0; i < TURNS; i++)
        ;
}

static __attribute__((noinline)) void first_phase(void)
{
    while (now(CLOCK_MONOTONIC) < end_ns[FIRST])
        compute();
    __asm__ volatile("");
}

static __attribute__((noinline)) void second_phase(void)
{
    while (now(CLOCK_MONOTONIC) < end_ns[SECOND])
        compute();
    __asm__ volatile("");
}

static void (*const functions[PHASES])(void) = {first_phase, second_phase};

static struct share measure(void (*function)(void))
{
    uint64_t cpu_ns = now(CLOCK_THREAD_CPUTIME_ID), wall_ns = now(CLOCK_MONOTONIC);

    function();
    wall_ns = now(CLOCK_MONOTONIC) - wall_ns;
    return (struct share){.cpu_ns = now(CLOCK_THREAD_CPUTIME_ID) - cpu_ns, .wall_ns = wall_ns};
}

static void *work(void *arg)
{
    struct share *share = arg;

    pthread_barrier_wait(&begun);
    for (int i = 0; i < PHASES; i++)
        share[i] = measure(functions[i]);
    pthread_barrier_wait(&done);
    pthread_barrier_wait(&ended); /* which nobody reaches: the process ends before */
    return NULL;
}

static void tell(int thread_count)
{
    for (int k = 0; k < PHASES; k++) {
        struct share sum = {0, 0};

        for (int i = 0; i < thread_count; i++) {
            sum.cpu_ns += shares[i][k].cpu_ns;
            sum.wall_ns += shares[i][k].wall_ns;
        }
        printf("%s %llu %llu\n", names[k], (unsigned long long)sum.cpu_ns,
               (unsigned long long)sum.wall_ns);
    }
    fflush(stdout);
}

static uint64_t seconds(const char *text)
{
    return (uint64_t)(strtod(text, NULL) * 1e9);
}

/* A line of standard input; false: it has ended. */
static int read_line(void)
{
    int c;

    do
        c = getchar();
    while (c != '\n' && c != EOF);
    return c != EOF;
}

static int start(int thread_count)
{
    pthread_t thread;

    pthread_barrier_init(&begun, NULL, (unsigned)thread_count + 1);
    pthread_barrier_init(&done, NULL, (unsigned)thread_count + 1);
    pthread_barrier_init(&ended, NULL, (unsigned)thread_count + 1);
    for (int i = 0; i < thread_count; i++)
        if (pthread_create(&thread, NULL, work, shares[i]) != 0)
            return 0;
    return 1;
}

int main(int argc, char **argv)
{
    int thread_count = argc > 1 ? atoi(argv[1]) : 4;
    const struct timespec rest = {0, REST_NS};

    if ((argc > 2 && argc != 4) || thread_count < 1 || thread_count > THREADS_MAX)
        return 2;
    if (!start(thread_count))
        return 1;
    puts("ready");
    fflush(stdout);
    if (!read_line())
        return 1;
    nanosleep(&rest, NULL);
    end_ns[FIRST] = now(CLOCK_MONOTONIC) + seconds(argc > 2 ? argv[2] : "3");
    end_ns[SECOND] = end_ns[FIRST] + seconds(argc > 2 ? argv[3] : "9");
    pthread_barrier_wait(&begun);
    pthread_barrier_wait(&done);
    nanosleep(&rest, NULL);
    tell(thread_count);
    while (read_line())
        ;
    return 0;
}
