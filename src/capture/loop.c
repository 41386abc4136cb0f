/* SPDX-License-Identifier: MIT */
#include "capture/loop.h"

#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "capture/board_record.h"
#include "capture/events.h"
#include "capture/mappings.h"
#include "capture/record.h"
#include "capture/sampler.h"
#include "capture/suspend.h"
#include "capture/targets.h"
#include "capture/ticks.h"
#include "snapshot/loss.h"
#include "snapshot/pump.h"

#define SECOND_NS UINT64_C(1000000000)
/* The output is flushed this often, for live readers; a killed capture loses no more than this. */
#define FLUSH_NS (SECOND_NS / 4)
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

/* Returns the cost of the capture so far. */
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

bool loop_wait_for_output(void *context, uint32_t progress)
{
    struct capture *cap = context;
    sigset_t signals = cap->end_set;
    bool suspended;
    uint64_t now;

    sigaddset(&signals, SIGIO);
    if (cap->phase == CAPTURE_SUSPENDS)
        sigdelset(&signals, SIGTSTP);
    cap->output = OUTPUT_BLOCKED;
    events_wait(cap, &signals, clock_now_ns() + SECOND_NS / 200);
    suspended = cap->suspend;
    if (suspended)
        suspend(cap, NULL);
    cap->output = OUTPUT_WAS_BLOCKED;
    now = clock_now_ns();
    if (suspended || progress != cap->progress ||
        (!cap->signals && !end_is_due(cap, now) && any_live(cap)))
        cap->moving_ns = now;
    cap->progress = progress;
    return cap->signals < 2 && now - cap->moving_ns < patience(cap);
}

void loop_settle_books(struct capture *cap)
{
    if (cap->leaving && !session_detaches(cap))
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
    const enum snap_loss reason =
        cap->output == OUTPUT_WAS_BLOCKED ? SNAP_LOSS_OUTPUT : SNAP_LOSS_ROUND;
    uint64_t late = pace_skip(&cap->pace, now), threads = 0;

    cap->output = OUTPUT_TAKES;
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
    loop_settle_books(cap);
    if (now - cap->flushed_ns >= FLUSH_NS) {
        (void)!snap_writer_flush(cap->writer);
        cap->flushed_ns = now;
    }
    mappings_ask_due(cap, now);
    usage_record_due(cap, now);
    names_write_due(cap, now);
    symbol_files_write_due(cap, now);
    if (now - cap->trimmed_ns >= FORGET_NS) {
        stack_arena_trim(&cap->arena);
        cap->trimmed_ns = now;
        cap->look_again |= cap->options.cgroup != NULL;
    }
    if (cap->look_again)
        targets_find_more(cap);
    if (now >= watch_time(cap))
        tell_watch(cap, now);
}

void loop_run(struct capture *cap)
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
            suspend(cap, loop_settle_books);
        now = clock_now_ns();
        end = end_time(cap);
        skip_late(cap, now < end ? now : end);
        if (limit_reached(cap, now)) {
            cap->result.end = SNAP_END_LIMIT;
            return;
        }
        events_wait(cap, &cap->end_set, least(least(cap->pace.due_ns, end), watch_time(cap)));
        loop_settle_books(cap); /* a round's repeats come after the samples before it */
        now = clock_now_ns();
        if (now >= cap->pace.due_ns && now < end && !cap->signals)
            begin_round(cap, now);
        keep_house(cap, now);
    }
}
