/* SPDX-License-Identifier: MIT */
#include "tools/cgrules/cgrules.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#define SECONDS_MIN 2 /* shorter runs say nothing */

/*
 * A timer's signal, because most of the time goes into single calls of the library, which do not
 * come back to tell. What its handler needs cannot be handed to it: the one place where the program
 * has variables outside of functions.
 */
static volatile sig_atomic_t seconds, per_cent, shown;

static size_t put_text(char *line, size_t len, const char *text)
{
    while (*text)
        line[len++] = *text++;
    return len;
}

static size_t put_number(char *line, size_t len, int number)
{
    char digits[12];
    size_t count = 0;

    do
        digits[count++] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    while (count > 0)
        line[len++] = digits[--count];
    return len;
}

/* Calls only what a signal handler may: no printf. */
static void tick(int signal)
{
    int saved = errno;
    char line[80];
    size_t len;

    (void)signal;
    if (++seconds >= SECONDS_MIN) {
        len = put_number(line, put_text(line, 0, "\rcgrules: working, "), seconds);
        len = put_text(line, len, " s");
        if (per_cent > 0)
            len = put_text(line, put_number(line, put_text(line, len, ", "), per_cent), " %");
        shown = write(STDERR_FILENO, line, len) > 0;
    }
    errno = saved;
}

static void set_timer(time_t interval)
{
    const struct itimerval timer = {.it_interval.tv_sec = interval, .it_value.tv_sec = interval};

    setitimer(ITIMER_REAL, &timer, NULL);
}

void progress_begin(void)
{
    struct sigaction action = {.sa_handler = tick, .sa_flags = SA_RESTART};

    if (!isatty(STDERR_FILENO))
        return;
    seconds = per_cent = 0;
    sigaction(SIGALRM, &action, NULL);
    set_timer(1);
}

void progress_set(size_t done, size_t all)
{
    per_cent = all ? (int)((double)done / (double)all * 100) : 0;
}

void progress_end(void)
{
    static const char erase[] = "\r                                \r";

    if (!isatty(STDERR_FILENO))
        return;
    set_timer(0);
    if (shown && write(STDERR_FILENO, erase, strlen(erase)) < 0)
        return; /* the terminal is gone, and so is the line */
    shown = 0;
}

void progress_end_for_output(void)
{
    if (isatty(STDOUT_FILENO))
        progress_end();
}
