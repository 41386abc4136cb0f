/* SPDX-License-Identifier: MIT */
#include "tools/progress.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/time.h>
#include <unistd.h>

#include "tools/progress_line.h"

#define SECONDS_MIN 2 /* shorter runs say nothing */

/*
 * State of the signal handler of a timer: most of the time goes into single calls of the library,
 * which do not return to report. A handler gets no arguments, so this state is global. Only the
 * handler writes to `line`, except while the timer is off.
 */
static volatile sig_atomic_t seconds, turned, per_cent, count;
static const char *volatile program, *volatile activity, *volatile noun;
static volatile bool on;
static struct progress_line line;

/* The signal handler; calls only what a handler may. */
static void tick(int signal)
{
    int saved = errno;

    (void)signal;
    if (++seconds >= SECONDS_MIN) {
        progress_line_text(&line, program);
        progress_line_text(&line, ": ");
        progress_line_text(&line, activity);
        progress_line_text(&line, ", ");
        progress_line_number(&line, (uint64_t)seconds);
        progress_line_text(&line, " s");
        if (per_cent > 0) {
            progress_line_text(&line, ", ");
            progress_line_number(&line, (uint64_t)per_cent);
            progress_line_text(&line, " %");
        }
        if (count > 0 && seconds > turned) {
            progress_line_text(&line, ", ");
            progress_line_number(&line, (uint64_t)(count / (seconds - turned)));
            progress_line_text(&line, " ");
            progress_line_text(&line, noun);
            progress_line_text(&line, "/s");
        }
        progress_line_show(&line, STDERR_FILENO);
    }
    errno = saved;
}

static void set_timer(time_t interval)
{
    const struct itimerval timer = {.it_interval.tv_sec = interval, .it_value.tv_sec = interval};

    setitimer(ITIMER_REAL, &timer, NULL);
}

void progress_begin(const char *name, const char *what)
{
    struct sigaction action = {.sa_handler = tick, .sa_flags = SA_RESTART};

    if (!isatty(STDERR_FILENO))
        return;
    seconds = turned = per_cent = count = 0;
    program = name;
    activity = what;
    on = true;
    sigaction(SIGALRM, &action, NULL);
    set_timer(1);
}

void progress_turn_to(const char *what)
{
    per_cent = count = 0;
    turned = seconds;
    activity = what;
}

void progress_set(uint64_t done, uint64_t all)
{
    per_cent = all ? (int)((double)done / (double)all * 100) : 0;
}

void progress_count(uint64_t number, const char *what)
{
    noun = what;
    count = number < SIG_ATOMIC_MAX ? (sig_atomic_t)number : SIG_ATOMIC_MAX;
}

/* Restarts the timer, so that the line does not come back before the message is printed. */
void progress_pause(void)
{
    if (!on)
        return;
    set_timer(0);
    progress_line_erase(&line, STDERR_FILENO);
    set_timer(1);
}

void progress_end(void)
{
    if (!on)
        return;
    set_timer(0);
    progress_line_erase(&line, STDERR_FILENO);
    on = false;
}

void progress_end_for_output(void)
{
    if (isatty(STDOUT_FILENO))
        progress_end();
}
