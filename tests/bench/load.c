/* SPDX-License-Identifier: MIT */
/*
 * load run THREADS WORK DEPTH   so many threads, each DEPTH calls deep, do a fixed amount of work;
 *                               prints how many seconds it took, and of CPU time
 * load gaps SECONDS N           one thread looks at the clock all the time; prints median, 99th
 *                               percentile and maximum of the N longest gaps in its sight, in
 *                               microseconds: the pauses it was made to have
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static long work, depth;
static volatile uint64_t sink;

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static __attribute__((noinline)) uint64_t leaf(uint64_t x, long n)
{
    volatile uint64_t frame[8] = {x};

    for (long i = 0; i < n; i++)
        frame[i & 7] = x = x * 6364136223846793005u + 1442695040888963407u;
    return x + frame[3];
}

static __attribute__((noinline)) uint64_t descend(long left, uint64_t x)
{
    volatile uint64_t frame[4] = {x, (uint64_t)left};

    if (left > 10) {
        x = descend(left - 1, x);
    } else if (left > 0) {
        x = descend(left - 1, x + 1);
    } else {
        x = leaf(x, 1000);
    }
    return x + frame[1];
}

static __attribute__((noinline)) void top_ten(void)
{
    for (long i = 0; i < work; i++)
        sink = descend(10, (uint64_t)i);
}

static __attribute__((noinline)) void go_deep(long left)
{
    volatile uint64_t frame[8] = {(uint64_t)left};

    if (left > 0)
        go_deep(left - 1);
    else
        top_ten();
    sink = frame[0];
}

static void *run(void *arg)
{
    go_deep(depth - 10);
    return arg;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static int run_gaps(double seconds, size_t want)
{
    size_t cap = 1 << 20, len = 0;
    double *gaps = calloc(cap, sizeof(*gaps));
    double begin = now(), last = begin, time;

    if (!gaps)
        return 1;
    do {
        time = now();
        if (time - last > 1e-6 && len < cap)
            gaps[len++] = time - last;
        last = time;
    } while (time - begin < seconds);
    qsort(gaps, len, sizeof(*gaps), compare);
    if (want > len)
        want = len;
    gaps += len - want;
    if (want)
        printf("%.1f %.1f %.1f\n", gaps[want / 2] * 1e6, gaps[want * 99 / 100] * 1e6,
               gaps[want - 1] * 1e6);
    return 0;
}

int main(int argc, char **argv)
{
    pthread_t threads[256];
    struct timespec cpu;
    double begin;
    long count;

    if (argc == 4 && !strcmp(argv[1], "gaps"))
        return run_gaps(strtod(argv[2], NULL), strtoul(argv[3], NULL, 10));
    if (argc != 5 || strcmp(argv[1], "run") != 0)
        return 2;
    count = strtol(argv[2], NULL, 10);
    work = strtol(argv[3], NULL, 10);
    depth = strtol(argv[4], NULL, 10);
    begin = now();
    for (long i = 0; i < count && i < 256; i++)
        pthread_create(&threads[i], NULL, run, NULL);
    for (long i = 0; i < count && i < 256; i++)
        pthread_join(threads[i], NULL);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
    printf("%.4f %.4f\n", now() - begin, (double)cpu.tv_sec + 1e-9 * (double)cpu.tv_nsec);
    return 0;
}
