/* SPDX-License-Identifier: MIT */
#include "capture/stops.h"

#include "base/clock.h"
#include "capture/mappings.h"
#include "capture/pending_sample.h"

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

/* Returns the earliest time at which the stopped thread can have stopped. */
static uint64_t stopped_since(const struct capture *cap, const struct thread *thread)
{
    return thread_is_asked(thread) && thread->asked_ns > cap->clear_ns ? thread->asked_ns
                                                                       : cap->clear_ns;
}

void stops_lose(struct capture *cap, const struct thread *thread, enum snap_loss reason)
{
    cap->losses[reason] += 1 + thread->rounds_missed;
}

static enum stop_end end_of_stop(const struct capture *cap)
{
    if (session_detaches(cap))
        return STOP_DETACH;
    return cap->leaving ? STOP_LEAVE : STOP_GO_ON;
}

/* Lets the stopped thread, or the whole target, go. */
static void let_go(struct capture *cap, struct thread *thread, enum stop_end end)
{
    const struct target *target = &cap->target;

    switch (end) {
    case STOP_HOLD:
        return;
    case STOP_DETACH:
        if (target->backend->detach(target->state, &thread->target) == STATUS_OK &&
            !thread_has_ended(thread))
            thread_ended(cap, thread);
        return;
    case STOP_LEAVE:
        if (target->backend->leave(target->state, &thread->target) != STATUS_OK)
            break;
        thread_left(thread);
        cap->result.leaving = true;
        return;
    case STOP_GO_ON:
        break;
    }
    target->backend->resume(target->state, thread ? &thread->target : NULL);
}

void stops_act(struct capture *cap, struct thread *thread, const struct stop_action *action)
{
    let_go(cap, thread, action->end);
    if (action->since_ns)
        count_pause(cap, action->since_ns, action->cost == COST_SAMPLE);
    if (action->cost == COST_SIGNAL) {
        cap->signals_ns += clock_now_ns() - action->since_ns;
        cap->signal_stops++;
    }
}

enum status stops_reattach(struct capture *cap, struct thread *thread)
{
    const struct target *target = &cap->target;
    enum status status = target->backend->reattach(target->state, &thread->target);

    if (status == STATUS_OK)
        thread_attached(thread);
    if (status == STATUS_NOT_FOUND)
        thread_ended(cap, thread);
    return status;
}

void stops_ask(struct capture *cap, struct thread *thread)
{
    const struct target *target = &cap->target;

    thread_asked(cap, thread);
    /* A whole target is interrupted once, by sampler_round. */
    if (target_can(target, BACKEND_STOPS_ONE_THREAD) &&
        target->backend->interrupt(target->state, &thread->target) == STATUS_NOT_FOUND &&
        !thread_has_ended(thread))
        thread_ended(cap, thread);
}

void stops_check(struct capture *cap, struct thread *thread)
{
    const struct target *target = &cap->target;

    if (target->backend->is_gone && !thread_has_ended(thread) &&
        target->backend->is_gone(target->state, &thread->target))
        thread_ended(cap, thread);
}

/* Takes the sample that is due in thread->stop, or counts it as lost. False: lost. */
static bool answer(struct capture *cap, struct thread *thread)
{
    enum status status = STATUS_OK;

    if (cap->output == OUTPUT_BLOCKED) {
        stops_lose(cap, thread, SNAP_LOSS_OUTPUT);
    } else {
        status = pending_sample_take_sample(cap, thread);
        if (status != STATUS_OK)
            stops_lose(cap, thread,
                       status == STATUS_NOT_FOUND ? SNAP_LOSS_GONE : SNAP_LOSS_UNREADABLE);
    }
    return cap->output != OUTPUT_BLOCKED && status == STATUS_OK;
}

void stops_hold(struct thread *thread, const struct thread_stop *stop)
{
    thread->phase = THREAD_HELD;
    thread->stop = *stop;
}

/* Lets held threads go on; of a whole target only marks them. */
static void resume_held(struct capture *cap)
{
    for (size_t i = 0; i < cap->process_len; i++) {
        struct process *process = cap->processes[i];
        for (size_t k = 0; k < process->thread_len; k++) {
            struct thread *thread = process->threads[k];
            if (thread->phase != THREAD_HELD)
                continue;
            thread_answered(cap, thread);
            if (!target_can(&cap->target, BACKEND_STOPS_ONE_THREAD))
                continue;
            let_go(cap, thread, end_of_stop(cap));
            count_pause(cap, thread->stop.since_ns, thread->before.state == 'R');
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
            if (process->threads[k]->phase == THREAD_HELD && answer(cap, process->threads[k]))
                pending_sample_hold(cap, &cap->pending[cap->pending_len - 1], now);
    }
}

void stops_release(struct capture *cap)
{
    cap->phase = CAPTURE_RUNS;
    sample_held(cap);
    resume_held(cap);
}

/* Sets the usage from which its next program's is counted. */
static void count_cpu_anew(struct capture *cap, struct thread *thread)
{
    const struct target *target = &cap->target;

    thread->used_known = target_can(target, BACKEND_CPU_TIMES) &&
                         target->backend->usage(target->state, &thread->target, &thread->used);
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
        if (other != thread)
            thread_replaced(cap, other);
    }
    thread_begin_anew(cap, thread);
    count_cpu_anew(cap, thread);
    process->since_ns = thread->found_ns;
    if (thread_is_asked(thread))
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
struct stop_action stops_answer(struct capture *cap, struct thread *thread,
                                const struct backend_event *event)
{
    const bool samples = cap->output != OUTPUT_BLOCKED && !session_detaches(cap);
    const bool asked = thread_is_asked(thread);
    const struct thread_stop stop = {.since_ns = stopped_since(cap, thread),
                                     .seen_ns = event->seen_ns,
                                     .by_signal = event->by_signal};
    struct stop_action action = {.made = cap->writer && samples ? event->made : 0};

    if (thread_has_ended(thread)) /* by an earlier event of the same batch */
        return (struct stop_action){.end = session_detaches(cap) ? STOP_DETACH : STOP_GO_ON};
    if (thread->rest == REST_DORMANT) {
        thread->process->rest_known = false;
        thread->rest = REST_ROUND;
    }
    thread_attached(thread); /* with its maker */
    if (action.made)
        pending_sample_take_creation(cap, thread, action.made);
    if (event->kind == EVENT_EXEC) {
        handle_exec(cap, thread);
        if (event->other_machine && session_is_family(cap)) {
            cap->result.left_out++;
            return (struct stop_action){.end = STOP_DETACH}; /* it cannot be captured any more */
        }
        if (event->other_machine)
            pending_sample_fail_other_program(cap, thread->process);
    } else if (asked && cap->phase == CAPTURE_HOLDS && samples) {
        stops_hold(thread, &stop);
        action.end = STOP_HOLD;
        return action;
    } else if (asked) {
        thread->stop = stop;
        (void)answer(cap, thread);
        thread_answered(cap, thread);
    }
    action.end = end_of_stop(cap);
    action.since_ns = event->stays ? 0 : stop.since_ns;
    if (asked)
        action.cost = thread->before.state == 'R' ? COST_SAMPLE : COST_NONE;
    else
        action.cost = event->by_signal ? COST_SIGNAL : COST_OWN;
    return action;
}

/* Threads that stopped in time for their round are like those of --together. */
struct stop_action stops_answer_whole(struct capture *cap, uint64_t seen_ns)
{
    const struct thread_stop stop = {.since_ns = cap->clear_ns, .seen_ns = seen_ns};
    uint64_t since_ns = cap->clear_ns;

    for (size_t i = 0; i < cap->process_len; i++) {
        struct process *process = cap->processes[i];
        for (size_t k = 0; k < process->thread_len; k++) {
            struct thread *thread = process->threads[k];
            if (!thread_is_asked(thread))
                continue;
            /* The report takes a while: it may have stopped as soon as it was asked. */
            if (thread->asked_ns < since_ns)
                since_ns = thread->asked_ns;
            stops_hold(thread, &stop);
        }
    }
    stops_release(cap);
    return (struct stop_action){.end = STOP_GO_ON, .since_ns = since_ns, .cost = COST_SAMPLE};
}
