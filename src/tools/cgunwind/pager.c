/* SPDX-License-Identifier: MIT */
#include "tools/cgunwind/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "confine/capabilities.h"

/* These signals end us after the pager only: the shell must not read the terminal beside it. */
static const int end_signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
#define END_SIGNALS (sizeof(end_signals) / sizeof(end_signals[0]))

/* Exit statuses of a shell: there is no such program; it cannot be run. */
#define NOT_FOUND  127
#define NOT_TO_RUN 126

/* The pager; for the signal handler. */
static volatile pid_t awaited;

/* Waits for the pager; returns its wait status, or 0. */
static int await_pager(pid_t pager)
{
    int status = 0;

    while (waitpid(pager, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}

/* Handles a signal: ends by the same signal, as a shell's loop would go on after a normal exit. */
static void end_by_signal(int number)
{
    sigset_t one;

    close(STDOUT_FILENO);
    await_pager(awaited);
    sigemptyset(&one);
    sigaddset(&one, number);
    signal(number, SIG_DFL);
    raise(number);
    sigprocmask(SIG_UNBLOCK, &one, NULL);
    _exit(128 + number);
}

/* Says whether there is such a program, in $PATH or at the path that the name is. */
static bool is_program(const char *name, size_t length)
{
    const char *path = getenv("PATH");
    char file[4096];

    if (memchr(name, '/', length)) {
        snprintf(file, sizeof(file), "%.*s", (int)length, name);
        return access(file, X_OK) == 0;
    }
    for (size_t part; path && *path; path += part + (path[part] == ':')) {
        part = strcspn(path, ":");
        snprintf(file, sizeof(file), "%.*s/%.*s", (int)part, path, (int)length, name);
        if (part && access(file, X_OK) == 0)
            return true;
    }
    return false;
}

/* Says whether the command can be run: its program exists, or only a shell can tell. */
static bool can_run(const char *command)
{
    const char *name = command + strspn(command, " \t");
    const size_t length = strcspn(name, " \t");

    return strpbrk(command, "|&;<>()$`\\\"'*?[#~=%") || is_program(name, length);
}

const char *pager_command(const char *usual)
{
    const char *command = getenv("CGUNWIND_PAGER");

    if (!command)
        command = getenv("PAGER");
    if (!command)
        command = usual;
    return command && command[strspn(command, " \t")] && strcmp(command, "cat") != 0 &&
                   can_run(command)
               ? command
               : NULL;
}

/* It needs a terminal and its input. With no new privileges root's program regains none. */
static void confine_pager(void)
{
    setenv("LESSSECURE", "1", 1);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    (void)!capabilities_drop(true);
}

/*
 * Waits for the first byte, then becomes the pager. Until then it ignores Ctrl-C; without any
 * output it ends and does not touch the terminal.
 */
static _Noreturn void become_pager(const char *command, int fd)
{
    struct pollfd input = {.fd = fd, .events = POLLIN};
    sighandler_t before[END_SIGNALS];

    for (size_t i = 0; i < END_SIGNALS; i++)
        before[i] = signal(end_signals[i], SIG_IGN);
    while (poll(&input, 1, -1) < 0 && errno == EINTR)
        ;
    if (!(input.revents & POLLIN) || dup2(fd, STDIN_FILENO) < 0)
        _exit(0);
    for (size_t i = 0; i < END_SIGNALS; i++)
        signal(end_signals[i], before[i]);
    signal(SIGXFSZ, SIG_DFL); /* main ignores it */
    setenv("LESS", "FRX", 0);
    confine_pager();
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(NOT_FOUND);
}

pid_t pager_begin(const char *command)
{
    struct sigaction action = {.sa_handler = end_by_signal}, before;
    pid_t pager;
    int fds[2];

    if (pipe2(fds, O_CLOEXEC) != 0)
        return 0;
    pager = fork();
    if (pager == 0) {
        close(fds[1]);
        become_pager(command, fds[0]);
    }
    close(fds[0]);
    if (pager > 0 && dup2(fds[1], STDOUT_FILENO) >= 0) {
        awaited = pager;
        sigfillset(&action.sa_mask);
        for (size_t i = 0; i < END_SIGNALS; i++)
            if (sigaction(end_signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
                sigaction(end_signals[i], &action, NULL);
        signal(SIGPIPE, SIG_IGN);
    }
    close(fds[1]); /* if this was the only writing end, the pager's process ends */
    return awaited;
}

bool pager_is_left(void)
{
    struct pollfd output = {.fd = STDOUT_FILENO};

    return poll(&output, 1, 0) == 1 && (output.revents & POLLERR);
}

bool pager_end(pid_t pager)
{
    int status;

    close(STDOUT_FILENO);
    status = await_pager(pager);
    return !WIFEXITED(status) ||
           (WEXITSTATUS(status) != NOT_FOUND && WEXITSTATUS(status) != NOT_TO_RUN);
}
