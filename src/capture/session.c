/* SPDX-License-Identifier: MIT */
#include "capture/session.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "capture/stops.h"
#include "capture/suspend.h"

/* A signal that is sent to us and to our process group, as by timeout(1), comes twice. */
#define SIGNAL_AGAIN_NS 200000000u

void session_fail(struct capture *cap, enum status status, const char *format, ...)
{
    char what[sizeof(cap->diag.what)];
    va_list args;

    if (cap->status != STATUS_OK)
        return;
    va_start(args, format);
    vsnprintf(what, sizeof(what), format, args);
    va_end(args);
    cap->status = status;
    diag_set(&cap->diag, NULL, "%s", what);
}

void session_sweep(struct capture *cap)
{
    size_t kept_processes = 0;

    if (!cap->sweepable)
        return;
    cap->sweepable = false;
    for (size_t i = 0; i < cap->process_len; i++) {
        struct process *process = cap->processes[i];
        size_t kept = 0;
        for (size_t k = 0; k < process->thread_len; k++) {
            if (process->threads[k]->end_written)
                thread_free(cap, process->threads[k]);
            else
                process->threads[kept++] = process->threads[k];
        }
        process->thread_len = kept;
        if (kept)
            cap->processes[kept_processes++] = process;
        else
            process_free(cap, process);
    }
    cap->process_len = kept_processes;
}

void session_wait(struct capture *cap, const sigset_t *signals, uint64_t until_ns)
{
    const struct target *target = &cap->target;
    const bool more = cap->more_events;
    uint64_t now;
    int signal;

    pace_sleep(&cap->pace, more ? 0 : until_ns);
    signal = target->backend->wait(target->state, signals, more ? 0 : until_ns);
    pace_wake(&cap->pace, more ? WAIT_EVENTS : signal);
    if (cap->pace.ready_ns > cap->clear_ns)
        cap->clear_ns = cap->pace.ready_ns;

    if (signal == WAIT_EVENTS || signal == WAIT_STOPPED || more)
        stops_drain(cap);
    if (signal == SIGTSTP)
        suspend_ask(cap);
    if (signal <= 0 || signal == SIGIO || signal == SIGTSTP)
        return;
    now = clock_now_ns();
    if (signal == cap->signal && now - cap->signal_ns < SIGNAL_AGAIN_NS)
        return;
    cap->signals++;
    cap->signal = signal;
    cap->signal_ns = now;
    /* A signal that ends us is meant for the command; but a terminal sends SIGINT to both. */
    if (cap->options.command && !cap->result.command_ended && signal != SIGINT)
        target->backend->signal_command(target->state, signal);
}

void session_wait_for_events(struct capture *cap, uint64_t until_ns)
{
    sigset_t none;

    sigemptyset(&none);
    session_wait(cap, &none, until_ns);
}

void session_deinit(struct capture *cap)
{
    for (size_t i = 0; i < cap->process_len; i++)
        for (size_t k = 0; k < cap->processes[i]->thread_len; k++)
            cap->processes[i]->threads[k]->end_written = true;
    cap->sweepable = true;
    session_sweep(cap);
    free(cap->processes);
    free(cap->pending);
    symbol_files_deinit(cap);
    stack_arena_deinit(&cap->arena);
    delta_deinit(&cap->delta);
    pace_deinit(&cap->pace);
}
