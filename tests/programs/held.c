/* SPDX-License-Identifier: MIT */
/*
 * held: sends itself a signal every millisecond, whose delivery needs its tracer, until SIGTERM.
 * Then prints the longest time that one took, in milliseconds, how many there were, and the
 * longest time without what it waited for a CPU meanwhile.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

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

/* 0 where the kernel does not tell. */
static double waited_for_cpu_ms(int schedstat_fd)
{
    char text[64] = "";
    double ns = 0;

    if (pread(schedstat_fd, text, sizeof(text) - 1, 0) > 0)
        sscanf(text, "%*s %lf", &ns);
    return ns / 1e6;
}

int main(void)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    const int schedstat_fd = open("/proc/thread-self/schedstat", O_RDONLY);
    double longest = 0, longest_held = 0;
    long count = 0;

    signal(SIGUSR1, on_signal);
    signal(SIGTERM, on_signal);
    for (; !done; count++) {
        double waited = waited_for_cpu_ms(schedstat_fd), begin = now_ms(), took;
        raise(SIGUSR1);
        took = now_ms() - begin;
        waited = waited_for_cpu_ms(schedstat_fd) - waited;
        if (took > longest)
            longest = took;
        if (took - waited > longest_held)
            longest_held = took - waited;
        nanosleep(&pause, NULL);
    }
    printf("%.1f %ld %.1f\n", longest, count, longest_held);
    return 0;
}
