/* SPDX-License-Identifier: MIT */
#include "capture/capture.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "capture/board_record.h"
#include "capture/bundle.h"
#include "capture/events.h"
#include "capture/guard.h"
#include "capture/loop.h"
#include "capture/names.h"
#include "capture/record.h"
#include "capture/session.h"
#include "capture/stops.h"
#include "capture/suspend.h"
#include "capture/targets.h"
#include "capture/ticks.h"
#include "snapshot/pump.h"

#define SECOND_NS UINT64_C(1000000000)
/* Address space for stacks of samples that are not written yet. */
#define ARENA_SIZE ((size_t)64 << 20)
/* How long asked threads are awaited at the end: after a limit; a signal; of a whole target. */
#define SETTLE_LIMIT_NS  SECOND_NS
#define SETTLE_SIGNAL_NS (SECOND_NS / 5)
#define SETTLE_WHOLE_NS  (SECOND_NS / 2)
#define DETACH_NS        SECOND_NS

static void prepare_signals(struct capture *cap)
{
    struct sigaction hangup;

    signal(SIGPIPE, SIG_IGN);
    /* Stopped by its terminal, a tracer would leave the tracees stopped as well. */
    signal(SIGTTIN, SIG_IGN);
    signal(SIGTTOU, SIG_IGN);
    sigemptyset(&cap->end_set);
    sigaddset(&cap->end_set, SIGINT);
    sigaddset(&cap->end_set, SIGTERM);
    suspend_prepare(cap);
    /* nohup. Not for SIGINT, which shells ignore for background jobs: it must end us anyway. */
    if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN)
        sigaddset(&cap->end_set, SIGHUP);
    sigprocmask(SIG_BLOCK, &cap->end_set, NULL);
}

enum status capture_check(const struct capture_options *options, struct diag *diag)
{
    return options->backend->check(options, diag);
}

static void answer_events(void *context)
{
    events_drain(context);
}

static enum status start_backend(struct capture *cap)
{
    struct target *target = &cap->target;
    struct diag diag = {0};
    enum status status;

    cap->host = (struct backend_host){.context = cap,
                                      .add_process = targets_add_process,
                                      .add_thread = targets_add_thread,
                                      .find_thread = targets_find_thread,
                                      .answer_events = answer_events};
    target->backend = cap->options.backend;
    target->keeps_files = CAPTURE_BUNDLES && cap->options.bundle;
    status =
        target->backend->start(&cap->options, &cap->host, &target->machine, &target->state, &diag);
    if (status != STATUS_OK && cap->status == STATUS_OK) {
        cap->status = status;
        cap->diag = diag;
    }
#if CAPTURE_BOARDS
    if (cap->status == STATUS_OK)
        cap->diag = diag;
#endif
    if (cap->wanted == WANT_FAMILY)
        cap->wanted = WANT_MADE;
    targets_read_maps(cap);
    if (session_is_family(cap) && cap->status == STATUS_OK)
        targets_find_more(cap);
    return cap->status;
}

/* The command is stopped before its first instruction: its first sample is taken in this stop. */
static void hold_command(struct capture *cap)
{
    struct thread *thread = cap->processes[0]->threads[0];

    thread->before.state = 'R';
    thread->asked_ns = clock_now_ns();
    thread_asked(cap, thread);
    stops_hold(thread,
               &(struct thread_stop){.since_ns = thread->asked_ns, .seen_ns = thread->asked_ns});
}

enum status capture_start(const struct capture_options *options, struct capture **out,
                          struct diag *diag)
{
    struct capture *cap = calloc(1, sizeof(*cap));
    enum status status;

    if (!cap || stack_arena_init(&cap->arena, ARENA_SIZE) != STATUS_OK) {
        free(cap);
        diag_set(diag, NULL, "out of memory");
        return STATUS_NO_MEMORY;
    }
    cap->options = *options;
    if (guard_start(&cap->guard) != STATUS_OK) {
        diag_set(diag, NULL, "cannot start a process: %s", strerror(errno));
        capture_destroy(cap);
        return STATUS_IO;
    }
    cap->period_ns = UINT64_C(1000000000000) / options->rate_mhz;
    cap->clear_ns = clock_now_ns();
    budget_init(&cap->budget, options->overhead, (double)(int64_t)cap->period_ns);
    pace_init(&cap->pace, (uint64_t)(int64_t)cap->budget.period_ns);
    delta_init(&cap->delta);
    if (options->command) {
        /* The command inherits none of our signal settings: it is forked before they are made. */
        status = start_backend(cap);
        prepare_signals(cap);
        pace_ask_scheduler();
        if (status == STATUS_OK)
            hold_command(cap);
    } else {
        prepare_signals(cap);
        pace_ask_scheduler();
        status = start_backend(cap);
    }
    if (status == STATUS_OK)
        status = ticks_start(cap);
    if (status != STATUS_OK) {
        *diag = cap->diag;
        capture_destroy(cap);
        return status;
    }
#if CAPTURE_BOARDS
    *diag = cap->diag;
#endif
    *out = cap;
    return STATUS_OK;
}

/*
 * Waits for threads that were asked to stop, so that the last round is whole; counts the others as
 * lost. (A whole target's backend waits, too, when it lets the target go.)
 */
static void settle_asked(struct capture *cap)
{
    uint64_t now = clock_now_ns();
    uint64_t deadline =
        now + (cap->result.end != SNAP_END_LIMIT                    ? SETTLE_SIGNAL_NS
               : target_can(&cap->target, BACKEND_STOPS_ONE_THREAD) ? SETTLE_LIMIT_NS
                                                                    : SETTLE_WHOLE_NS);

    while (cap->asked && now < deadline && cap->status == STATUS_OK) {
        events_wait_only(cap, deadline);
        loop_settle_books(cap);
        now = clock_now_ns();
    }
    for (size_t i = 0; i < cap->process_len; i++) {
        struct process *process = cap->processes[i];
        for (size_t k = 0; k < process->thread_len; k++) {
            struct thread *thread = process->threads[k];
            if (!thread_is_asked(thread))
                continue;
            if (!cap->result.asleep.what[0] && cap->target.backend->explain_running)
                (void)cap->target.backend->explain_running(cap->target.state, &thread->target,
                                                           &cap->result.asleep);
            record_loss(cap, process->target.pid, thread->target.tid, 1 + thread->rounds_missed,
                        SNAP_LOSS_LATE);
            thread_answered(cap, thread);
        }
    }
}

/* Frees all threads, or those that have ended, and processes that have none then. */
static void forget(struct capture *cap, bool ended_only)
{
    for (size_t i = 0; i < cap->process_len; i++)
        for (size_t k = 0; k < cap->processes[i]->thread_len; k++)
            if (!ended_only || thread_has_ended(cap->processes[i]->threads[k]))
                cap->processes[i]->threads[k]->phase = THREAD_END_WRITTEN;
    cap->sweepable = true;
    session_sweep(cap);
}

/* After the snapshot was closed nothing is written of threads that end. */
static void forget_ended(struct capture *cap)
{
    forget(cap, true);
}

static void wait_for_command(struct capture *cap)
{
    while (!cap->result.command_ended) {
        events_wait(cap, &cap->end_set, clock_now_ns() + SECOND_NS);
        if (cap->suspend)
            suspend_self(cap);
        /* the last wait may have seen a stop that this one would not be told of */
        events_drain(cap);
    }
}

/*
 * Lets the target go, whatever the output still has to do; cgsnap goes on, to report and to wait
 * for a command. Threads that cannot be detached in time are let go by the kernel at our exit,
 * without stopping; it hands on the signal of a thread in signal-delivery-stop.
 */
static void let_go(struct capture *cap)
{
    if (cap->target.backend->detach) {
        cap->phase = CAPTURE_ENDS;
        suspend_detach(cap, clock_now_ns() + DETACH_NS, forget_ended);
    }
    guard_park(cap->guard, true);
}

/* Drops a pending signal of the same kind, sent together with the first: it is no second one. */
static void forget_signal(const struct capture *cap)
{
    const struct timespec at_once = {0};
    sigset_t set;

    if (!cap->signals)
        return;
    sigemptyset(&set);
    sigaddset(&set, cap->signal);
    (void)!sigtimedwait(&set, NULL, &at_once);
}

static enum status finish(struct capture *cap, struct capture_result *result, struct diag *diag)
{
    enum status status;

    forget_signal(cap);
#if CAPTURE_BOARDS
    if (board_record_finish(cap, &cap->diag) && cap->status == STATUS_OK) {
        cap->status = STATUS_IO;
        cap->result.end = SNAP_END_FAILED;
    }
#endif
    record_last_names(cap);
    usage_record_all(cap);
    names_write_last(cap);
    symbol_files_write_last(cap);
    if (!CAPTURE_BUNDLES || !cap->options.bundle)
        record_summary(cap);
    (void)!snap_writer_flush(cap->writer); /* the writer keeps the error */
    let_go(cap);
    forget_signal(cap);
    if (CAPTURE_BUNDLES && cap->options.bundle) {
        bundle_write(cap);
        record_summary(cap);
    }
    status = snap_writer_finish(cap->writer);
    cap->result.bytes = snap_writer_size(cap->writer);
    if (cap->status != STATUS_OK) {
        status = cap->status;
        *diag = cap->diag;
    } else if (status != STATUS_OK) {
        status = snap_writer_error(cap->writer, diag);
        cap->result.end = SNAP_END_WRITE;
    }
    cap->result.blind = target_can(&cap->target, BACKEND_CPU_TIMES) &&
                        !cap->target.machine.tells_ready && !cap->result.has_clock;
    *result = cap->result;
    return status;
}

enum status capture_run(struct capture *cap, struct pump *pump, const char *name,
                        struct capture_result *result, struct diag *diag)
{
    struct timespec real;
    enum status status;

    clock_gettime(CLOCK_REALTIME, &real);
    status = snap_writer_create(pump_fd(pump), name, cap->target.machine.arch,
                                (uint64_t)real.tv_sec * SECOND_NS + (uint64_t)real.tv_nsec -
                                    clock_now_ns(),
                                &cap->writer, diag);
    if (status != STATUS_OK)
        return status;
    cap->phase = CAPTURE_RUNS;
    cap->pump = pump;
    snap_writer_use_pump(cap->writer, pump, loop_wait_for_output, cap);
    if (CAPTURE_BUNDLES && cap->options.bundle)
        snap_writer_promise_files(cap->writer);
    cap->begin_ns = clock_now_ns();
    cap->progress = UINT32_MAX;
    loop_settle_books(cap);
    if (cap->options.command)
        stops_release(cap);
    loop_run(cap);
    ticks_run(cap, false);
    settle_asked(cap);
    loop_settle_books(cap);
    ticks_stop(cap);
    status = finish(cap, result, diag);
    if (cap->options.command && !cap->result.command_ended)
        wait_for_command(cap);
    result->command_ended = cap->result.command_ended;
    result->command_status = cap->result.command_status;
    return status;
}

void capture_destroy(struct capture *cap)
{
    if (!cap)
        return;
    snap_writer_destroy(cap->writer);
    guard_destroy(cap->guard);
    forget(cap, false);
    free(cap->processes);
    free(cap->pending);
    symbol_files_deinit(cap);
    stack_arena_deinit(&cap->arena);
    delta_deinit(&cap->delta);
    pace_deinit(&cap->pace);
    if (cap->target.state)
        cap->target.backend->destroy(cap->target.state);
    free(cap);
}
