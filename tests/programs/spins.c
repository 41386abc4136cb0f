/* SPDX-License-Identifier: MIT */
/*
 * A program with known chains for profilers: three threads that use their CPUs, each on a chain of
 * its own, of which one line is printed as by chains.c. A sample that has `spin` in it shows the
 * whole of it.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "park.h"

#define SECONDS 0.4 /* of CPU time, a thread */
#define DEPTH   200

/* A store to it after a call keeps that call from becoming a jump. */
static volatile unsigned long sink;

static double used(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

KEEP static void spin(void)
{
    for (double end = used() + SECONDS; used() < end;)
        for (unsigned i = 0; i < 200000; i++)
            sink = sink + i;
}

KEEP static void down(unsigned depth)
{
    if (depth > 1)
        down(depth - 1);
    else
        spin();
    sink = depth;
}

KEEP static void *deep_thread(void *arg)
{
    down(DEPTH);
    sink = 1;
    return arg;
}

KEEP static int compare(const void *a, const void *b)
{
    static int done;

    if (!done++)
        spin();
    sink = 2;
    return *(const int *)a - *(const int *)b;
}

KEEP static void *sort_thread(void *arg)
{
    int numbers[] = {3, 1, 2};

    qsort(numbers, 3, sizeof(numbers[0]), compare);
    sink = (unsigned long)numbers[0];
    return arg;
}

/* A frame that is larger than a stack of 512 bytes. */
KEEP static void *wide_thread(void *arg)
{
    volatile char room[2000];

    room[0] = room[1999] = 1;
    spin();
    sink = (unsigned long)room[0];
    return arg;
}

static const struct {
    const char *name, *chain;
    void *(*run)(void *);
} threads[] = {
    {"deep", "spin < down*200 < deep_thread < run < ..", deep_thread},
    {"sort", "spin < compare < .. < sort_thread < run < ..", sort_thread},
    {"wide", "spin < wide_thread < run < ..", wide_thread},
};

#define THREAD_COUNT (sizeof(threads) / sizeof(threads[0]))

/* A thread names itself before anything else, so that no sample has another name. */
KEEP static void *run(void *arg)
{
    void *result;
    size_t i = (size_t)arg;

    pthread_setname_np(pthread_self(), threads[i].name);
    result = threads[i].run(arg);
    sink = i;
    return result;
}

int main(void)
{
    pthread_t ids[THREAD_COUNT];

    for (size_t i = 0; i < THREAD_COUNT; i++)
        printf("%s: %s\n", threads[i].name, threads[i].chain);
    fflush(stdout);
    for (size_t i = 0; i < THREAD_COUNT; i++)
        if (pthread_create(&ids[i], NULL, run, (void *)i))
            exit(EXIT_FAILURE);
    for (size_t i = 0; i < THREAD_COUNT; i++)
        pthread_join(ids[i], NULL);
    return 0;
}
