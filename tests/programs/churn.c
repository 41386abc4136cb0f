/* SPDX-License-Identifier: MIT */
/*
 * Starts and ends threads at a rate: churn PER_SECOND SECONDS. Prints how many it started; ends
 * with 0 if each ran to its end.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static atomic_long ran;

static void *run(void *arg)
{
    atomic_fetch_add(&ran, 1);
    return arg;
}

int main(int argc, char **argv)
{
    long rate = argc > 1 ? strtol(argv[1], NULL, 10) : 1000;
    long seconds = argc > 2 ? strtol(argv[2], NULL, 10) : 1;
    struct timespec next;
    long started = 0;

    clock_gettime(CLOCK_MONOTONIC, &next);
    for (long i = 0; i < rate * seconds; i++) {
        pthread_t thread;
        next.tv_nsec += 1000000000 / rate;
        if (next.tv_nsec >= 1000000000) {
            next.tv_nsec -= 1000000000;
            next.tv_sec++;
        }
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
        if (pthread_create(&thread, NULL, run, NULL) != 0)
            return 1;
        started++;
        pthread_join(thread, NULL);
    }
    printf("%ld\n", started);
    return ran == started ? 0 : 1;
}
