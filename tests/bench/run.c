/* SPDX-License-Identifier: MIT */
/*
 * Runs a command and says what it cost.
 *
 *     bench_run LIMIT COMMAND [ARGUMENT…]
 *
 * Prints: wall time in ns, peak resident memory in kB, exit status (128 and the signal's number
 * when it was killed), 1 when it took longer than LIMIT seconds and was ended for it, CPU time in
 * ns. The command has no input, and its output goes nowhere.
 *
 * A program of its own because a process's peak memory begins with its parent's at the time of the
 * fork, and Python is large.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile pid_t child;
static volatile sig_atomic_t ended;

static void give_up(int signal)
{
    (void)signal;
    ended = 1;
    kill(-child, SIGKILL); /* a group of its own: perf starts addr2line */
}

static uint64_t now_ns(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static uint64_t ns_of(const struct timeval *time)
{
    return (uint64_t)time->tv_sec * 1000000000u + (uint64_t)time->tv_usec * 1000u;
}

static _Noreturn void become(char **command, int null)
{
    setpgid(0, 0);
    for (int fd = 0; fd <= 2; fd++)
        dup2(null, fd);
    execvp(command[0], command);
    _exit(127);
}

int main(int argc, char **argv)
{
    const struct sigaction action = {.sa_handler = give_up};
    unsigned limit = argc > 2 ? (unsigned)strtoul(argv[1], NULL, 10) : 0;
    int null = open("/dev/null", O_RDWR | O_CLOEXEC), status;
    struct rusage usage;
    uint64_t start_ns;

    if (!limit || null < 0) {
        fputs("usage: bench_run LIMIT COMMAND [ARGUMENT…]\n", stderr);
        return 2;
    }
    sigaction(SIGALRM, &action, NULL);
    start_ns = now_ns();
    child = fork();
    if (child == 0)
        become(argv + 2, null);
    if (child < 0)
        return 1;
    setpgid(child, child); /* here, too: the alarm may come before the child gets to it */
    alarm(limit);
    while (wait4(child, &status, 0, &usage) < 0)
        if (errno != EINTR)
            return 1;
    printf("%llu %ld %d %d %llu\n", (unsigned long long)(now_ns() - start_ns), usage.ru_maxrss,
           WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), (int)ended,
           (unsigned long long)(ns_of(&usage.ru_utime) + ns_of(&usage.ru_stime)));
    return 0;
}
