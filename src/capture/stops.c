/* SPDX-License-Identifier: MIT */
#include "capture/stops.h"

#include "base/clock.h"
#include "capture/mappings.h"
#include "capture/pending_sample.h"

/* Events in one call of stops_drain, so that a target that stops without end does not keep us. */
#define DRAIN_MAX 1000u
/* Events are taken before the first is answered: a stop's time shows what a thread was doing. */
#define DRAIN_AT_ONCE 64u

/* Slots 0 to 7 are a microsecond each; then eight for each power of two. */
static unsigned pause_slot(uint64_t us)
{
    unsigned log2, slot;

    if (us < CAPTURE_PAUSE_STEPS)
        return (unsigned)us;
    log2 = 63 - (unsigned)__builtin_clzll(us);
    slot = (log2 - 2) * CAPTURE_PAUSE_STEPS + (unsigned)(us >> (log2 - 3) & 7);
    return slot < CAPTURE_PAUSE_SLOTS ? slot : CAPTURE_PAUSE_SLOTS - 1;
}

uint64_t capture_pause_us(unsigned slot)
{
    if (slot < CAPTURE_PAUSE_STEPS)
        return slot;
    return (UINT64_C(8) + slot % CAPTURE_PAUSE_STEPS) << (slot / CAPTURE_PAUSE_STEPS - 1);
}

/* Counts a pause. `for_sample`: of a thread that was due, and not asleep. */
static void count_pause(struct capture *cap, uint64_t since_ns, bool for_sample)
{
    uint64_t ns = clock_now_ns() - since_ns;

    cap->result.stopped_ns += ns;
    if (for_sample)
        cap->held_ns += ns;
    if (ns > cap->result.stopped_max_ns) {
        uint64_t waited_ns = pace_waited(&cap->pace);
        cap->result.stopped_max_ns = ns;
        cap->result.stopped_max_wait_ns = waited_ns < ns ? waited_ns : ns;
    }
    cap->result.pauses[pause_slot(ns / 1000)]++;
}

static void count_signal(struct capture *cap, uint64_t ns)
{
    cap->signals_ns += ns;
    cap->signal_stops++;
}

/* Returns the earliest time at which the stopped thread can have stopped. */
static uint64_t stopped_since(const struct capture *cap, const struct thread *thread)
{
    return thread->asked && thread->asked_ns > cap->clear_ns ? thread->asked_ns : cap->clear_ns;
}

void stops_lose(struct capture *cap, const struct thread *thread, enum snap_loss reason)
{
    cap->losses[reason] += 1 + thread->rounds_missed;
    cap->lossy = true;
}

/* Lets a stopped thread go on, leaves it, or detaches it. */
static void resume(struct capture *cap, struct thread *thread)
{
    const struct target *target = &cap->target;

    if (cap->detaching) {
        if (target->backend->detach(target->state, &thread->target) == STATUS_OK)
            thread_ended(cap, thread);
    } else if (cap->leaving &&
               target->backend->leave(target->state, &thread->target) == STATUS_OK) {
        thread->left = true;
        cap->result.leaving = true;
    } else {
        target->backend->resume(target->state, &thread->target);
    }
}

enum status stops_reattach(struct capture *cap, struct thread *thread)
{
    const struct target *target = &cap->target;
    enum status status = target->backend->reattach(target->state, &thread->target);

    thread->left = status != STATUS_OK;
    if (status == STATUS_NOT_FOUND)
        thread_ended(cap, thread);
    return status;
}

void stops_ask(struct capture *cap, struct thread *thread)
{
    const struct target *target = &cap->target;

    if (!thread->asked) {
        cap->asked++;
        cap->awaited++;
    }
    thread->asked = true;
    thread->rounds_missed = 0;
    /* A whole target is interrupted once, by sampler_round. */
    if (target_can(target, BACKEND_STOPS_ONE_THREAD) &&
        target->backend->interrupt(target->state, &thread->target) == STATUS_NOT_FOUND &&
        !thread->ended)
        thread_ended(cap, thread);
}

void stops_check(struct capture *cap, struct thread *thread)
{
    const struct target *target = &cap->target;

    if (target->backend->is_gone && !thread->ended &&
        target->backend->is_gone(target->state, &thread->target))
        thread_ended(cap, thread);
}

/* Takes the due sample, or counts it as lost. False: lost. */
static bool answer(struct capture *cap, struct thread *thread, uint64_t seen_ns, bool disturbed)
{
    enum status status = STATUS_OK;

    if (cap->output_blocked) {
        stops_lose(cap, thread, SNAP_LOSS_OUTPUT);
    } else {
        status = pending_sample_take_sample(cap, thread, seen_ns, disturbed);
        if (status != STATUS_OK)
            stops_lose(cap, thread,
                       status == STATUS_NOT_FOUND ? SNAP_LOSS_GONE : SNAP_LOSS_UNREADABLE);
    }
    thread_answered(cap, thread);
    return !cap->output_blocked && status == STATUS_OK;
}

void stops_hold(struct thread *thread, bool by_signal, uint64_t since_ns, uint64_t seen_ns)
{
    thread->held = true;
    thread->held_by_signal = by_signal;
    thread->held_since_ns = since_ns;
    thread->held_ns = seen_ns;
}

/* Lets held threads go on; of a whole target only marks them. */
static void resume_held(struct capture *cap)
{
    for (size_t i = 0; i < cap->process_len; i++) {
        struct process *process = cap->processes[i];
        for (size_t k = 0; k < process->thread_len; k++) {
            struct thread *thread = process->threads[k];
            if (!thread->held || thread->ended)
                continue;
            thread->held = false;
            if (!target_can(&cap->target, BACKEND_STOPS_ONE_THREAD))
                continue;
            resume(cap, thread);
            count_pause(cap, thread->held_since_ns, thread->before.state == 'R');
        }
    }
}

/* Takes the samples of the threads that are held. */
static void sample_held(struct capture *cap)
{
    uint64_t now = clock_now_ns();

    for (size_t i = 0; i < cap->process_len; i++) {
        struct process *process = cap->processes[i];
        for (size_t k = 0; k < process->thread_len; k++)
            if (process->threads[k]->held && !process->threads[k]->ended &&
                answer(cap, process->threads[k], process->threads[k]->held_ns,
                       process->threads[k]->held_by_signal))
                pending_sample_hold(cap, &cap->pending[cap->pending_len - 1], now);
    }
}

void stops_release(struct capture *cap)
{
    cap->holding = false;
    sample_held(cap);
    resume_held(cap);
}

/*
 * The whole target has stopped: takes all due samples, and lets it go on. Threads that stopped in
 * time for their round are like those of --together.
 */
static void handle_whole_stop(struct capture *cap, uint64_t seen_ns)
{
    const struct target *target = &cap->target;
    uint64_t since_ns = cap->clear_ns;

    for (size_t i = 0; i < cap->process_len; i++) {
        struct process *process = cap->processes[i];
        for (size_t k = 0; k < process->thread_len; k++) {
            struct thread *thread = process->threads[k];
            if (!thread->asked || thread->ended)
                continue;
            /* The report takes a while: it may have stopped as soon as it was asked. */
            if (thread->asked_ns < since_ns)
                since_ns = thread->asked_ns;
            stops_hold(thread, false, cap->clear_ns, seen_ns);
        }
    }
    cap->holding = false;
    sample_held(cap);
    resume_held(cap);
    target->backend->resume(target->state, NULL);
    count_pause(cap, since_ns, true);
}

/*
 * For its maker's event: adds the new thread, whose first stop may be yet to come, as CREATION
 * needs it known. If it was killed and is gone already, nothing would report its end: not added.
 */
static void adopt_early(struct capture *cap, pid_t tid)
{
    const struct target *target = &cap->target;
    struct thread *known = thread_find_last(cap, tid);
    struct target_process *process;
    struct target_thread *thread = NULL;
    pid_t pid;

    if (known) {
        known->maker_due = false;
        return;
    }
    pid = target->backend->find_made(target->state, tid);
    process = pid ? cap->host.add_process(cap, pid, tid) : NULL;
    if (process)
        thread = cap->host.add_thread(cap, process, tid, true);
    if (thread)
        thread_of(thread)->maker_due = false;
}

/* Sets the usage from which its next program's is counted. */
static void count_cpu_anew(struct capture *cap, struct thread *thread)
{
    const struct target *target = &cap->target;

    thread->used_known = target_can(target, BACKEND_CPU_TIMES) &&
                         target->backend->usage(target->state, &thread->target, &thread->used);
}

/* Lets one of several processes go, which cannot be captured any more. */
static void leave_other_program(struct capture *cap, struct thread *thread)
{
    const struct target *target = &cap->target;

    cap->result.left_out++;
    if (target->backend->detach(target->state, &thread->target) == STATUS_OK)
        thread_ended(cap, thread);
}

/*
 * exec: the calling thread has become the first one, with its tid, and the others are gone; some
 * may still be reported as ended, or never be. Forgets what was known of the old program.
 */
static void handle_exec(struct capture *cap, struct thread *thread)
{
    struct process *process = thread->process;

    for (size_t i = 0; i < cap->pending_len; i++)
        if (cap->pending[i].thread->process == process)
            cap->pending[i].outdated = true;
    for (size_t i = 0; i < process->thread_len; i++) {
        struct thread *other = process->threads[i];
        if (other == thread)
            continue;
        other->replaced = true; /* also if its end was reported, and is not written yet */
        if (!other->ended)
            thread_ended(cap, other);
    }
    thread_begin_anew(cap, thread);
    count_cpu_anew(cap, thread);
    process->since_ns = thread->found_ns;
    thread->announced = false;
    thread->held = false;
    if (thread->asked)
        stops_lose(cap, thread, SNAP_LOSS_GONE);
    thread_answered(cap, thread);
    process->announced = false;
    process->names = (struct made_names){.size = 0};
    process->symbols = (struct process_symbols){.program = 0};
    process->is_go = false;
    process->go_version = 0;
    process->rest_known = false;
    modules_deinit(&process->modules);
    code_deinit(&process->code);
    mappings_read(cap, process, thread->target.tid);
    cap->dirty = true;
}

/* Any stop answers an interrupt that is under way: a due sample is taken in the first stop. */
static void handle_stop(struct capture *cap, struct thread *thread,
                        const struct backend_event *event)
{
    const bool samples = !cap->output_blocked && !cap->detaching;
    const uint64_t since_ns = stopped_since(cap, thread);
    const bool asked = thread->asked;
    const uint64_t begin_ns = clock_now_ns();
    pid_t made = cap->writer && samples ? event->made : 0;

    if (thread->ended) { /* ended by an earlier event of the same batch */
        if (cap->detaching)
            (void)!cap->target.backend->detach(cap->target.state, &thread->target);
        else
            cap->target.backend->resume(cap->target.state, &thread->target);
        return;
    }
    if (thread->dormant)
        thread->process->rest_known = false;
    thread->dormant = false;
    thread->left = false; /* attached with its maker */
    if (made)
        pending_sample_take_creation(cap, thread, made);
    if (event->kind == EVENT_EXEC) {
        handle_exec(cap, thread);
        if (event->other_machine && session_is_family(cap)) {
            leave_other_program(cap, thread);
            return;
        }
        if (event->other_machine)
            pending_sample_fail_other_program(cap, thread->process);
    } else if (thread->asked && cap->holding && samples) {
        stops_hold(thread, event->by_signal, since_ns, event->seen_ns);
        if (made)
            adopt_early(cap, made);
        return;
    } else if (thread->asked) {
        thread->held_since_ns = since_ns;
        (void)answer(cap, thread, event->seen_ns, event->by_signal);
    }
    resume(cap, thread);
    if (!event->stays)
        count_pause(cap, since_ns, asked && thread->before.state == 'R');
    if (!asked)
        cap->others_ns += clock_now_ns() - begin_ns;
    if (!asked && event->by_signal)
        count_signal(cap, clock_now_ns() - since_ns);
    if (made)
        adopt_early(cap, made);
}

static void handle(struct capture *cap, const struct backend_event *event)
{
    switch (event->kind) {
    case EVENT_NONE:
        return;
    case EVENT_ENDED:
        if (event->thread && !thread_of(event->thread)->ended)
            thread_ended(cap, thread_of(event->thread));
        if (event->command_ended) {
            cap->result.command_ended = true;
            cap->result.command_status = event->command_status;
        }
        return;
    case EVENT_STOPPED:
    case EVENT_CREATED:
    case EVENT_EXEC:
        if (event->thread)
            handle_stop(cap, thread_of(event->thread), event);
        else
            handle_whole_stop(cap, event->seen_ns);
        return;
    }
}

/* Takes the events that there are, up to DRAIN_AT_ONCE; returns how many. */
static size_t take_events(struct capture *cap, struct backend_event events[DRAIN_AT_ONCE])
{
    const struct target *target = &cap->target;
    size_t count = 0;
    uint64_t now;

    while (count < DRAIN_AT_ONCE) {
        now = clock_now_ns();
        if (!target->backend->next(target->state, &events[count])) {
            if (!count)
                cap->clear_ns = now;
            break;
        }
        count++;
    }
    return count;
}

bool stops_drain(struct capture *cap)
{
    struct backend_event events[DRAIN_AT_ONCE];
    size_t count, taken = 0;

    do {
        count = take_events(cap, events);
        for (size_t i = 0; i < count; i++)
            handle(cap, &events[i]);
        taken += count;
    } while (count && taken < DRAIN_MAX);
    cap->more_events = count > 0;
    return taken > 0;
}
