/* SPDX-License-Identifier: MIT */
/*
 * signals receive          counts SIGRTMIN until SIGTERM, each with its number; "ready" and its pid
 * first, then the count and
 *                          how many came out of order, on standard output
 * signals send PID RATE N  sends N of them, RATE a second, numbered; waits while the queue is full
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t count, disorder, done;

static void on_signal(int sig, siginfo_t *info, void *context)
{
    (void)sig;
    (void)context;
    if (info->si_value.sival_int != count)
        disorder++;
    count++;
}

static void on_end(int sig)
{
    (void)sig;
    done = 1;
}

static int receive(void)
{
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_RESTART};
    volatile unsigned long work = 0;

    sigaction(SIGRTMIN, &action, NULL);
    signal(SIGTERM, on_end);
    printf("ready %d\n", (int)getpid());
    fflush(stdout);
    while (!done)
        work++;
    printf("%d %d\n", (int)count, (int)disorder);
    return 0;
}

static int send(pid_t pid, long rate, long n)
{
    struct timespec next, pause = {.tv_nsec = 1000000};

    clock_gettime(CLOCK_MONOTONIC, &next);
    for (int i = 0; i < n; i++) {
        union sigval value = {.sival_int = i};
        next.tv_nsec += 1000000000 / rate;
        if (next.tv_nsec >= 1000000000) {
            next.tv_nsec -= 1000000000;
            next.tv_sec++;
        }
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
        while (sigqueue(pid, SIGRTMIN, value) != 0) {
            if (errno != EAGAIN)
                return 1;
            nanosleep(&pause, NULL);
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && !strcmp(argv[1], "receive"))
        return receive();
    if (argc == 5 && !strcmp(argv[1], "send"))
        return send((pid_t)atoi(argv[2]), atol(argv[3]), atol(argv[4]));
    return 2;
}
