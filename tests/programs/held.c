/* SPDX-License-Identifier: MIT */
/*
 * held: sends itself a signal every millisecond, whose delivery needs its tracer, until SIGTERM.
 * Then prints the longest time that one took, in milliseconds, and how many there were.
 */
#include <signal.h>
#include <stdio.h>
#include <time.h>

static volatile sig_atomic_t done;

static void on_signal(int sig)
{
    if (sig == SIGTERM)
        done = 1;
}

static double now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

int main(void)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    double longest = 0;
    long count = 0;

    signal(SIGUSR1, on_signal);
    signal(SIGTERM, on_signal);
    for (; !done; count++) {
        double begin = now_ms(), took;
        raise(SIGUSR1);
        took = now_ms() - begin;
        if (took > longest)
            longest = took;
        nanosleep(&pause, NULL);
    }
    printf("%.1f %ld\n", longest, count);
    return 0;
}
