/* SPDX-License-Identifier: MIT */
/*
 * For choices.py: for a second one thread runs and one sleeps, then each does what the other did.
 */
#include <pthread.h>
#include <time.h>

#define APART __attribute__((noinline, noclone))

static volatile unsigned sink;

static APART double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static APART void run_for(double seconds)
{
    double end = now() + seconds;

    while (now() < end)
        for (unsigned i = 0; i < 1000; i++)
            sink += i;
}

static APART void sleep_for(double seconds)
{
    struct timespec t = {.tv_sec = (time_t)seconds,
                         .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};

    while (clock_nanosleep(CLOCK_MONOTONIC, 0, &t, &t))
        ;
}

static APART void *early(void *unused)
{
    run_for(1);
    sleep_for(1);
    return unused;
}

static APART void *late(void *unused)
{
    sleep_for(1);
    run_for(1);
    return unused;
}

/* A thread begins with the name of the one that makes it: no sample has another. */
int main(void)
{
    pthread_t threads[2];

    pthread_setname_np(pthread_self(), "early");
    pthread_create(&threads[0], NULL, early, NULL);
    pthread_setname_np(pthread_self(), "late");
    pthread_create(&threads[1], NULL, late, NULL);
    pthread_setname_np(pthread_self(), "halves");
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
