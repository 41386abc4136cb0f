/* SPDX-License-Identifier: MIT */
#include "capture/capture.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "capture/board_record.h"
#include "capture/bundle.h"
#include "capture/guard.h"
#include "capture/mappings.h"
#include "capture/names.h"
#include "capture/pace.h"
#include "capture/record.h"
#include "capture/sampler.h"
#include "capture/session.h"
#include "capture/stops.h"
#include "capture/suspend.h"
#include "capture/ticks.h"
#include "snapshot/loss.h"
#include "snapshot/pump.h"

#define SECOND_NS UINT64_C(1000000000)
/* The output is flushed this often, for live readers; a killed capture loses no more than this. */
#define FLUSH_NS (SECOND_NS / 4)
/* Address space for stacks of samples that are not written yet. */
#define ARENA_SIZE ((size_t)64 << 20)
/* How long asked threads are awaited at the end: after a limit; a signal; of a whole target. */
#define SETTLE_LIMIT_NS  SECOND_NS
#define SETTLE_SIGNAL_NS (SECOND_NS / 5)
#define SETTLE_WHOLE_NS  (SECOND_NS / 2)
#define DETACH_NS        SECOND_NS
/* How long a reader that does not read is waited for at the end: after a signal; otherwise. */
#define PATIENCE_SIGNAL_NS (2 * SECOND_NS)
#define PATIENCE_NS        (10 * SECOND_NS)
#define FORGET_NS          SECOND_NS
/* Threads are left only if rounds are no further apart than this. */
#define LEAVE_PERIOD_MAX_NS (2 * SECOND_NS)
/* Closing a file of a network file system flushes it, after all is written. */
#define PATIENCE_CLOSE_NS (120 * SECOND_NS)

/* Converts by int64_t, which is cheaper: our values are below 2^63. */
static double number(uint64_t value)
{
    return (double)(int64_t)value;
}

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

/* Was the process asked for by number, or are descendants or a cgroup looked for now? */
static bool is_looked_for(const struct capture *cap, pid_t pid)
{
    const struct capture_options *options = &cap->options;

    if (!cap->adding)
        return false;
    for (size_t i = 0; i < options->more_count; i++)
        if (options->more_pids[i] == pid)
            return true;
    return options->children || options->cgroup;
}

/* Adds the first process, those that are looked for, and those of followed forks. */
static struct target_process *add_process(void *context, pid_t pid, pid_t tid)
{
    struct capture *cap = context;
    struct process *process = process_find(cap, pid);
    bool first = !cap->started;

    if (cap->detaching)
        return NULL;
    if (!process && (first || is_looked_for(cap, pid) || cap->options.follow_forks)) {
        process = process_add(cap, pid);
        cap->started = true;
        if (process && !first && !cap->adding) {
            process->made = true;
            mappings_read(cap, process, tid);
        }
    }
    return process ? &process->target : NULL;
}

/*
 * A thread that is reported as made used no CPU time before. So did a listed one, made since the
 * others were left; unless it is the first thread, which another has become by exec.
 */
static struct target_thread *add_thread(void *context, struct target_process *process, pid_t tid,
                                        bool made)
{
    struct capture *cap = context;
    struct thread *thread = thread_add(cap, process_of(process), tid);

    if (!thread)
        return NULL;
    thread->used_known = (made || (cap->listing && tid != process->pid)) &&
                         target_can(&cap->target, BACKEND_CPU_TIMES);
    thread->left = cap->listing;
    thread->maker_due = made && target_can(&cap->target, BACKEND_CREATIONS);
    return &thread->target;
}

static struct target_thread *find_thread(void *context, pid_t tid)
{
    struct thread *thread = thread_find(context, tid);

    return thread ? &thread->target : NULL;
}

static void answer_events(void *context)
{
    stops_drain(context);
}

/* Reads the mappings of processes that were just found. */
static void read_new_maps(struct capture *cap)
{
    for (size_t i = 0; i < cap->process_len && cap->status == STATUS_OK; i++)
        if (!cap->processes[i]->maps_read_ns && cap->processes[i]->thread_len) {
            const pid_t tid = cap->processes[i]->threads[0]->target.tid;

            mappings_read(cap, cap->processes[i], tid);
            mappings_find_go(cap, cap->processes[i], tid);
        }
}

/* Looks for new processes of the family; frees processes, so call it when books are settled. */
static void find_more(struct capture *cap)
{
    const struct target *target = &cap->target;

    cap->look_again = false;
    if (!target->backend->find_more || cap->detaching)
        return;
    cap->adding = true;
    cap->result.refused = target->backend->find_more(target->state, &cap->result.refusal);
    cap->adding = false;
    read_new_maps(cap);
    cap->sweepable = true; /* processes none of whose threads could be attached to */
    session_sweep(cap);
}

static enum status start_backend(struct capture *cap)
{
    struct target *target = &cap->target;
    struct diag diag = {0};
    enum status status;

    cap->host = (struct backend_host){.context = cap,
                                      .add_process = add_process,
                                      .add_thread = add_thread,
                                      .find_thread = find_thread,
                                      .answer_events = answer_events};
    target->backend = cap->options.backend;
    target->keeps_files = CAPTURE_BUNDLES && cap->options.bundle;
    cap->adding = session_is_family(cap);
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
    cap->adding = false;
    read_new_maps(cap);
    if (session_is_family(cap) && cap->status == STATUS_OK)
        find_more(cap);
    return cap->status;
}

/* The command is stopped before its first instruction: its first sample is taken in this stop. */
static void hold_command(struct capture *cap)
{
    struct thread *thread = cap->processes[0]->threads[0];

    thread->before.state = 'R';
    thread->asked = true;
    thread->asked_ns = clock_now_ns();
    stops_hold(thread, false, thread->asked_ns, thread->asked_ns);
    cap->asked++;
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
    budget_init(&cap->budget, options->overhead, number(cap->period_ns));
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

/* begin_ns moves on by the time for which cgsnap was stopped: this does not count. */
static uint64_t end_time(const struct capture *cap)
{
    const uint64_t duration_ns = cap->options.duration_ns;

    return duration_ns ? cap->begin_ns + duration_ns : UINT64_MAX;
}

static bool limit_reached(const struct capture *cap, uint64_t now)
{
    const struct capture_options *options = &cap->options;

    return (options->round_count && cap->result.rounds >= options->round_count) ||
           now >= end_time(cap);
}

/* No round begins while the reader is waited for, so that -n becomes a matter of time. */
static bool end_is_due(const struct capture *cap, uint64_t now)
{
    return cap->status != STATUS_OK || limit_reached(cap, now) ||
           (cap->options.round_count &&
            (now - cap->begin_ns) / cap->pace.period_ns >= cap->options.round_count);
}

/* Processes of left threads may have ended without an event. */
static bool any_live(const struct capture *cap)
{
    for (size_t i = 0; i < cap->process_len; i++)
        if (cap->processes[i]->target.live &&
            session_program(cap, cap->processes[i]) != PROGRAM_ENDED)
            return true;
    return false;
}

/* How long an output without progress is waited for. */
static uint64_t patience(const struct capture *cap)
{
    if (cap->signals)
        return PATIENCE_SIGNAL_NS;
    return pump_is_closing(cap->pump) ? PATIENCE_CLOSE_NS : PATIENCE_NS;
}

static uint64_t cpu_time(void)
{
    struct timespec used;

    return clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) == 0
               ? (uint64_t)used.tv_sec * SECOND_NS + (uint64_t)used.tv_nsec
               : 0;
}

/* Returns the CPUs' idle time; 0 if not known, which counts as never idle. */
static uint64_t idle_time(void)
{
    uint64_t ticks = 0;
    char text[128];
    ssize_t n = proc_readf(text, sizeof(text), "/proc/stat");

    if (n > 0)
        (void)!proc_parse_idle(text, (size_t)n, &ticks);
    return ticks * (SECOND_NS / (uint64_t)sysconf(_SC_CLK_TCK));
}

/* The cost for samples: other stops are left out. */
static double spent(const struct capture *cap)
{
    const uint64_t own_ns = cpu_time() + pump_usage(cap->pump);

    return number(cap->held_ns + (own_ns > cap->others_ns ? own_ns - cap->others_ns : 0));
}

/* What the capture costs, so far. */
static struct budget_use used(const struct capture *cap, uint64_t now)
{
    const struct target *target = &cap->target;
    struct budget_use use = {{[BUDGET_WALL] = number(now),
                              [BUDGET_SPENT] = spent(cap),
                              [BUDGET_IDLE] = number(idle_time()),
                              [BUDGET_SIGNAL_TIME] = number(cap->signals_ns),
                              [BUDGET_SIGNALS] = number(cap->signal_stops)}};
    uint64_t target_ns = 0;

    for (size_t i = 0; i < cap->process_len && target_can(target, BACKEND_CPU_TIMES); i++)
        target_ns += target->backend->process_usage(target->state, &cap->processes[i]->target);
    use.of[BUDGET_TARGET] = number(target_ns);
    return use;
}

static void suspend(struct capture *cap, void (*settle)(struct capture *cap))
{
    const struct budget_use from = used(cap, clock_now_ns());
    struct budget_use to;

    suspend_until_continued(cap, settle);
    cap->look_again = session_is_family(cap); /* no event tells of processes made meanwhile */
    to = used(cap, clock_now_ns());
    budget_skip(&cap->budget, &from, &to);
}

/*
 * Waits a little for the output, which takes nothing now, and answers stops without taking samples,
 * as there is no room for them. Before the capture's end the output may take any time, then only as
 * long as it makes progress. False: give up.
 */
static bool wait_for_output(void *context, uint32_t progress)
{
    struct capture *cap = context;
    sigset_t signals = cap->end_set;
    bool suspended;
    uint64_t now;

    sigaddset(&signals, SIGIO);
    if (cap->suspending)
        sigdelset(&signals, SIGTSTP);
    cap->output_blocked = true;
    cap->was_blocked = true;
    session_wait(cap, &signals, clock_now_ns() + SECOND_NS / 200);
    suspended = cap->suspend;
    if (suspended)
        suspend(cap, NULL);
    cap->output_blocked = false;
    now = clock_now_ns();
    if (suspended || progress != cap->progress ||
        (!cap->signals && !end_is_due(cap, now) && any_live(cap)))
        cap->moving_ns = now;
    cap->progress = progress;
    return cap->signals < 2 && now - cap->moving_ns < patience(cap);
}

/* Writes what has happened, and frees what has ended. */
static void settle_books(struct capture *cap)
{
    if (cap->leaving && !cap->detaching)
        sampler_find_others(cap);
    record_pending(cap);
    session_sweep(cap);
}

static bool is_over(struct capture *cap)
{
    struct capture_result *result = &cap->result;

    if (snap_writer_error(cap->writer, NULL) != STATUS_OK)
        result->end = SNAP_END_WRITE;
    else if (!cap->process_len && !cap->options.cgroup)
        result->end = SNAP_END_EXIT; /* a cgroup may get new processes */
    else if (cap->signals)
        result->end = SNAP_END_SIGNAL;
    else
        return cap->status != STATUS_OK;
    return true;
}

/* Leaves out rounds that should have begun by `now`, and counts their samples as lost. */
static void skip_late(struct capture *cap, uint64_t now)
{
    const enum snap_loss reason = cap->was_blocked ? SNAP_LOSS_OUTPUT : SNAP_LOSS_ROUND;
    uint64_t late = pace_skip(&cap->pace, now), threads = 0;

    cap->was_blocked = false;
    if (!late)
        return;
    for (size_t i = 0; i < cap->process_len; i++)
        threads += cap->processes[i]->target.live;
    if (threads)
        record_loss(cap, cap->processes[0]->target.pid, 0, (uint32_t)(late * threads), reason);
}

/*
 * May threads be left between samples? A left thread's fork could not be followed; a new thread
 * with the number of a chosen one would not be noticed; and an end is only noticed in the next
 * round.
 */
static bool may_leave(const struct capture *cap)
{
    return cap->target.backend->leave && cap->target.machine.can_leave &&
           !cap->options.follow_forks && !cap->options.tid_count &&
           cap->period_ns <= LEAVE_PERIOD_MAX_NS;
}

static struct capture_progress progress_of(const struct capture *cap, uint64_t now)
{
    struct capture_progress progress = {.elapsed_ns = now - cap->begin_ns,
                                        .samples = cap->result.samples,
                                        .repeats = cap->result.repeats,
                                        .lost = snap_loss_sum(cap->result.lost),
                                        .bytes = snap_writer_size(cap->writer),
                                        .period_ns = cap->pace.period_ns};

    for (size_t i = 0; i < cap->process_len; i++)
        progress.threads += cap->processes[i]->target.live;
    return progress;
}

static void tell_rate(struct capture *cap, uint64_t now)
{
    const struct capture_progress progress = progress_of(cap, now);

    if (cap->options.watch_rate)
        cap->options.watch_rate(cap->options.watch_context, &progress);
}

static void keep_to_budget(struct capture *cap, uint64_t now)
{
    struct budget *budget = &cap->budget;
    const bool was_kept = budget->state == BUDGET_KEPT;
    uint64_t period_ns;
    struct budget_use use;

    if (budget->limit >= BUDGET_ALL || !budget_begin_round(budget, number(now), spent(cap)))
        return;
    use = used(cap, now);
    budget_check(budget, &use);
    cap->result.slowed = budget->exceeded;
    cap->leaving = may_leave(cap) && budget->signals_exceed;
    period_ns = cap->pace.period_ns;
    pace_set_period(&cap->pace, (uint64_t)(int64_t)budget->period_ns);
    if (budget->state == BUDGET_KEPT && !(was_kept && period_ns == cap->pace.period_ns))
        tell_rate(cap, now);
}

static void begin_round(struct capture *cap, uint64_t now)
{
    keep_to_budget(cap, now);
    pace_begin_round(&cap->pace);
    cap->result.rounds++;
    cap->result.elapsed_ns = now - cap->begin_ns;
    ticks_keep_pace(cap);
    sampler_round(cap);
#if CAPTURE_BOARDS
    board_record_pace(cap);
#endif
}

static void tell_watch(struct capture *cap, uint64_t now)
{
    const struct capture_progress progress = progress_of(cap, now);

    cap->options.watch(cap->options.watch_context, &progress);
    cap->watched_ns = now;
}

/* Not while threads that were asked are still to stop: their stops wake us. */
static uint64_t watch_time(const struct capture *cap)
{
    return cap->options.watch && !cap->awaited ? cap->watched_ns + SECOND_NS : UINT64_MAX;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Regular work between rounds: flushes the output, returns memory, looks for what is new. */
static void keep_house(struct capture *cap, uint64_t now)
{
    settle_books(cap);
    if (now - cap->flushed_ns >= FLUSH_NS) {
        (void)!snap_writer_flush(cap->writer);
        cap->flushed_ns = now;
    }
    usage_record_due(cap, now);
    names_write_due(cap, now);
    symbol_files_write_due(cap, now);
    if (now - cap->trimmed_ns >= FORGET_NS) {
        stack_arena_trim(&cap->arena);
        cap->trimmed_ns = now;
        cap->look_again |= cap->options.cgroup != NULL;
    }
    if (cap->look_again)
        find_more(cap);
    if (now >= watch_time(cap))
        tell_watch(cap, now);
}

/* The main loop: begins rounds, and answers events between them. */
static void run_rounds(struct capture *cap)
{
    uint64_t now = clock_now_ns();
    uint64_t end;

    cap->begin_ns = now;
    if (cap->options.watch)
        tell_watch(cap, now);
    cap->pace.due_ns = now;
#if CAPTURE_BOARDS
    board_record_begin(cap, end_time(cap));
#endif
    ticks_run(cap, true);
    while (!is_over(cap)) {
        if (cap->suspend)
            suspend(cap, settle_books);
        now = clock_now_ns();
        end = end_time(cap);
        skip_late(cap, now < end ? now : end);
        if (limit_reached(cap, now)) {
            cap->result.end = SNAP_END_LIMIT;
            return;
        }
        session_wait(cap, &cap->end_set, least(least(cap->pace.due_ns, end), watch_time(cap)));
        settle_books(cap); /* a round's repeats come after the samples before it */
        now = clock_now_ns();
        if (now >= cap->pace.due_ns && now < end && !cap->signals)
            begin_round(cap, now);
        keep_house(cap, now);
    }
}

/*
 * Waits for threads that were asked to stop, so that the last round is whole; counts the others as
 * lost. (A whole target's backend waits, too, when it lets the target go.)
 */
static void settle_asked(struct capture *cap)
{
    uint64_t now = clock_now_ns();
    uint64_t deadline =
        now + (cap->result.end == SNAP_END_LIMIT ? SETTLE_LIMIT_NS : SETTLE_SIGNAL_NS);

    if (!target_can(&cap->target, BACKEND_STOPS_ONE_THREAD))
        deadline = least(deadline, now + SETTLE_WHOLE_NS);
    cap->holding = false;
    while (cap->asked && now < deadline && cap->status == STATUS_OK) {
        session_wait_for_events(cap, deadline);
        settle_books(cap);
        now = clock_now_ns();
    }
    for (size_t i = 0; i < cap->process_len; i++) {
        struct process *process = cap->processes[i];
        for (size_t k = 0; k < process->thread_len; k++) {
            struct thread *thread = process->threads[k];
            if (!thread->asked || thread->ended)
                continue;
            record_loss(cap, process->target.pid, thread->target.tid, 1 + thread->rounds_missed,
                        SNAP_LOSS_LATE);
            thread_answered(cap, thread);
        }
    }
}

/* Frees threads that end after the snapshot was closed: nothing is written of them. */
static void forget_ended(struct capture *cap)
{
    for (size_t i = 0; i < cap->process_len; i++)
        for (size_t k = 0; k < cap->processes[i]->thread_len; k++)
            if (cap->processes[i]->threads[k]->ended)
                cap->processes[i]->threads[k]->end_written = true;
    cap->sweepable = true;
    session_sweep(cap);
}

static void wait_for_command(struct capture *cap)
{
    while (!cap->result.command_ended) {
        session_wait(cap, &cap->end_set, clock_now_ns() + SECOND_NS);
        if (cap->suspend)
            suspend_self(cap);
        /* the last wait may have seen a stop that this one would not be told of */
        stops_drain(cap);
    }
}

/*
 * Lets the target go, whatever the output still has to do; cgsnap goes on, to report and to wait
 * for a command. Threads that cannot be detached in time are let go by the kernel at our exit,
 * without stopping; it hands on the signal of a thread in signal-delivery-stop.
 */
static void let_go(struct capture *cap)
{
    if (cap->target.backend->detach)
        suspend_detach(cap, clock_now_ns() + DETACH_NS, forget_ended);
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
    cap->pump = pump;
    snap_writer_use_pump(cap->writer, pump, wait_for_output, cap);
    if (CAPTURE_BUNDLES && cap->options.bundle)
        snap_writer_promise_files(cap->writer);
    cap->begin_ns = clock_now_ns();
    cap->progress = UINT32_MAX;
    settle_books(cap);
    if (cap->options.command)
        stops_release(cap);
    run_rounds(cap);
    ticks_run(cap, false);
    settle_asked(cap);
    settle_books(cap);
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
    session_deinit(cap);
    if (cap->target.state)
        cap->target.backend->destroy(cap->target.state);
    free(cap);
}
