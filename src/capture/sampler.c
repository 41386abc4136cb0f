/* SPDX-License-Identifier: MIT */
#include "capture/sampler.h"

#include <signal.h>

#include "capture/mappings.h"
#include "capture/record.h"
#include "capture/stops.h"
#include "capture/waits.h"

/* How long to look for a stop without going to sleep: a thread that is on a CPU stops within it. */
#define SPIN_NS 20000u
/* Where no stop was seen within it, they are not looked for so often. */
#define SPIN_BACKOFF_MAX 31
/* While they are looked for, samples are written when so much waits for it. */
#define ARENA_BUSY ((size_t)1 << 20)
/* A thread that has not run for so long is dormant. */
#define DORMANT_NS         UINT64_C(1000000000)
#define CHOOSE_INTERVAL_NS UINT64_C(250000000)
/* --together waits so long for threads that do not stop (in the kernel, or without a CPU). */
#define TOGETHER_NS 20000000u
#define WAIT_NS     1000000u
/*
 * So long a new thread is not sampled, at most, because its maker, which has no CPU, has not told
 * of it yet: how it was made comes first.
 */
#define MAKER_NS UINT64_C(1000000000)
/* Is a thread that does not stop still there? Asked once in so many rounds. */
#define CHECK_ROUNDS 16u

/* What it does, as far as that can be known without stopping it. False: it has ended. */
static bool look(struct capture *cap, struct thread *thread)
{
    const struct target *target = &cap->target;

    if (target_can(target, BACKEND_STATES))
        return target->backend->activity(target->state, &thread->target, &thread->before);
    thread->before = (struct activity){.state = 'R'};
    return true;
}

/*
 * Of a thread that is attached an event will tell that it has ended: unless one that was left has
 * called exec, and taken its number. A first thread that has ended stays, as long as there are
 * others.
 */
static void has_ended(struct capture *cap, struct thread *thread)
{
    const struct target_process *process = &thread->process->target;

    if (!cap->leaving)
        return;
    if (!thread->left)
        stops_check(cap, thread);
    else if (thread->target.tid != process->pid || process->live == 1)
        thread_ended(cap, thread);
}

/* The thread has run: it is to be asked to stop, and sampled when it does. */
static void choose(struct capture *cap, struct thread *thread, uint64_t now)
{
    thread->dormant = false;
    /*
     * It has ended, and an event will say so: of a first thread, when the last one has. Until then
     * the process lives, and threads may still come.
     */
    if (!look(cap, thread)) {
        has_ended(cap, thread);
        return;
    }
    /*
     * One that is found blocked may have been so for long: it is dormant when it has not run by the
     * next round.
     */
    if (thread->sampled || thread->before.state == 'R')
        thread->ran_ns = now;
    if (thread->before.state == 'R' && pace_draw(&cap->pace, ++cap->runners) == 0)
        cap->runner = thread;
    thread->due = true;
}

/* The CPU time that it has used. False: it has ended. */
static bool read_usage(struct capture *cap, struct thread *thread)
{
    const struct target *target = &cap->target;

    return !target_can(target, BACKEND_CPU_TIMES) ||
           target->backend->usage(target->state, &thread->target, &thread->now);
}

/* Has it run since its last sample? --on-cpu: the first sample, too, wants a thread that runs. */
static bool has_run(struct capture *cap, struct thread *thread)
{
    const struct target *target = &cap->target;

    if (!target_can(target, BACKEND_CPU_TIMES) || (!thread->sampled && !cap->options.on_cpu))
        return true;
    return target->backend->has_run(target->state, &thread->target, &thread->now,
                                    thread->sampled ? &thread->before : NULL);
}

/* True when the thread has run, or may have. */
static bool look_at_thread(struct capture *cap, struct thread *thread, bool known_same)
{
    if (thread->asked) {
        /*
         * It has not run since it was asked: its sample, when it comes, stands for this round too.
         */
        thread->rounds_missed++;
        thread->missed_ns = thread->process->round_ns;
        if (thread->rounds_missed % CHECK_ROUNDS == 0 ||
            session_has_other_program(cap, thread->process))
            stops_check(cap, thread);
        return true;
    }
    if (thread->maker_due && capture_now() - thread->found_ns < MAKER_NS)
        return true;
    if (!known_same && !thread->read && !read_usage(cap, thread)) {
        has_ended(cap, thread);
        return true;
    }
    if (!known_same && has_run(cap, thread)) {
        choose(cap, thread, capture_now());
        return true;
    }
    thread->quiet = !cap->options.on_cpu;
    return false;
}

/* A sample is due, or lost: its thread is not among those that IDLE repeats. */
static bool not_quiet(const struct thread *thread, uint64_t since)
{
    return !thread->quiet && thread->sampled && !thread->end_written && thread->sample_ns < since;
}

/*
 * Repeats the samples of the threads that have not run: in one IDLE record, which names the
 * exceptions, unless one by one is shorter.
 */
static void repeat_quiet(struct capture *cap, struct process *process)
{
    const uint64_t since = process->round_ns;
    size_t quiet = 0, others = 0;

    for (size_t i = 0; i < process->thread_len; i++) {
        struct thread *thread = process->threads[i];
        /* It may have ended meanwhile, or all of them by an exec that is not written down yet. */
        thread->quiet = thread->quiet && thread->sampled && !thread->end_written &&
                        thread->sample_ns < since && process->announced;
        quiet += thread->quiet;
        others += not_quiet(thread, since);
    }
    waits_refresh(cap, process);
    if (quiet > others + 1) {
        record_idle(cap, process, since, (uint32_t)others);
        for (size_t i = 0; i < process->thread_len; i++)
            if (not_quiet(process->threads[i], since))
                record_idle_exception(cap, process->threads[i]);
        record_idle_end(cap, quiet);
    }
    for (size_t i = 0; i < process->thread_len; i++) {
        struct thread *thread = process->threads[i];
        if (thread->quiet && quiet <= others + 1)
            record_repeat(cap, thread, since);
        if (thread->quiet) {
            waits_settled(thread);
            record_new_name(cap, thread, since);
        }
        thread->quiet = false;
    }
}

/*
 * Dormant threads, which have not run for a while, are looked at all together: they have not run if
 * the process's CPU time less the other threads' is what it was. True when that is so. *rest is the
 * difference. docs/decisions/0001-idle-process-check.md tells what this can miss.
 */
static bool dormant_same(struct capture *cap, struct process *process, uint64_t *rest)
{
    const struct target *target = &cap->target;
    uint64_t others = 0;

    for (size_t i = 0; i < process->thread_len; i++) {
        struct thread *thread = process->threads[i];
        if (thread->ended || thread->dormant)
            continue;
        thread->read = read_usage(cap, thread);
        if (thread->read)
            others += thread->now.run_ns;
    }
    *rest = target->backend->process_usage(target->state, &process->target) - others;
    return process->rest_known && *rest == process->rest_ns;
}

/* Which threads are dormant from now on? Not so often, as a change needs a look at each. */
static void choose_dormant(struct process *process, uint64_t now)
{
    for (size_t i = 0; i < process->thread_len; i++) {
        struct thread *thread = process->threads[i];
        if (thread->ended)
            continue;
        if (!thread->dormant && thread->sampled && !thread->asked && thread->same &&
            now - thread->ran_ns >= DORMANT_NS) {
            thread->dormant = true;
            process->rest_known = false;
        }
    }
    process->chosen_ns = now;
}

static bool any_dormant(const struct process *process)
{
    for (size_t i = 0; i < process->thread_len; i++)
        if (process->threads[i]->dormant && !process->threads[i]->ended)
            return true;
    return false;
}

/* Of what threads that were left have done no event tells. */
static void find_changes(struct capture *cap, struct process *process)
{
    const struct target *target = &cap->target;

    cap->listing = true;
    if (target->backend->list_threads(target->state, &process->target) != process->target.live)
        process->rest_known = false; /* some have ended, and are looked at one by one */
    cap->listing = false;
}

void sampler_find_others(struct capture *cap)
{
    for (size_t i = 0; i < cap->process_len; i++)
        if (!cap->processes[i]->target.live)
            find_changes(cap, cap->processes[i]);
}

/* A first thread that has ended stays until the others have, and those were looked at after it. */
static void look_at_last(struct capture *cap, struct process *process)
{
    const struct target *target = &cap->target;
    struct activity now;

    for (size_t i = 0; i < process->thread_len; i++) {
        struct thread *thread = process->threads[i];
        if (!thread->ended && !thread->due && !thread->asked &&
            target_can(target, BACKEND_STATES) &&
            !target->backend->activity(target->state, &thread->target, &now))
            has_ended(cap, thread);
    }
}

/* Which of its threads have run? Those are due. */
static void look_at_process(struct capture *cap, struct process *process)
{
    uint64_t rest = 0, now = capture_now();
    bool dormant, same = false, woke = false;
    size_t live;

    if (cap->leaving)
        find_changes(cap, process);
    live = process->target.live;
    process->round_ns = now;
    process->ran = 0;
    if (process->target.live > 1 &&
        (!process->rest_known || now - process->chosen_ns >= CHOOSE_INTERVAL_NS))
        choose_dormant(process, now);
    dormant = any_dormant(process);
    if (dormant)
        same = dormant_same(cap, process, &rest);
    process->rest_ns = rest;
    process->rest_known = dormant;
    for (size_t i = 0; i < process->thread_len; i++) {
        struct thread *thread = process->threads[i];
        bool was_dormant = thread->dormant;
        if (thread->ended)
            continue;
        thread->same = !look_at_thread(cap, thread, same && was_dormant);
        thread->read = false;
        if (!thread->same)
            process->ran = thread->target.tid;
        woke |= was_dormant && !thread->same;
    }
    if (woke)
        process->rest_known = false;
    if (cap->leaving && live > 1 && process->target.live == 1)
        look_at_last(cap, process);
}

/* False: we have waited for one, and none of the process's can be had in this round. */
static bool reattach_due(struct capture *cap, struct process *process)
{
    for (size_t i = 0; i < process->thread_len; i++)
        if (process->threads[i]->due && process->threads[i]->left &&
            stops_reattach(cap, process->threads[i]) == STATUS_BUSY)
            return false;
    return true;
}

/* Before any is asked to stop: an exec under way may keep us waiting here. */
static void reattach_all(struct capture *cap)
{
    bool waited = false;

    for (size_t i = 0; i < cap->process_len; i++)
        waited |= !reattach_due(cap, cap->processes[i]);
    if (waited)
        stops_drain(cap);
}

/* All that are due, before the first is looked for: the others run on until they are asked. */
static void ask_all(struct capture *cap)
{
    if (cap->leaving)
        reattach_all(cap);
    cap->awaited = 0;
    for (size_t i = 0; i < cap->process_len; i++)
        for (size_t k = 0; k < cap->processes[i]->thread_len; k++) {
            struct thread *thread = cap->processes[i]->threads[k];
            if (!thread->due)
                continue;
            thread->due = false;
            if (cap->leaving && thread->left) {
                stops_lose(cap, thread, SNAP_LOSS_UNREADABLE);
                continue;
            }
            /* What it has had of CPUs until now; what follows is what the asking has caused. */
            if (thread->before.state == 'R')
                (void)!read_usage(cap, thread);
            thread->round = cap->pace.round;
            thread->asked_ns = capture_now();
            stops_ask(cap, thread);
        }
    if (cap->asked && !target_can(&cap->target, BACKEND_STOPS_ONE_THREAD))
        (void)!cap->target.backend->interrupt(cap->target.state, NULL);
}

/*
 * Looks for the stops of threads that were asked, without going to sleep. One that is on a CPU
 * stops within some microseconds, sooner than we could be put to sleep and woken. One that waits
 * for a CPU does not: it stays asked, and is sampled whenever it stops. Nor does any while we have
 * the only CPU.
 */
static void catch_stops(struct capture *cap)
{
    uint64_t deadline;
    bool caught = false;

    if (cap->pace.single_cpu)
        return;
    if (cap->spin_skip) {
        cap->spin_skip--;
        return;
    }
    deadline = capture_now() + SPIN_NS;
    while (cap->awaited && capture_now() < deadline) {
        if (!stops_drain(cap))
            continue;
        caught = true;
        deadline = capture_now() + SPIN_NS;
        if (cap->arena.used >= ARENA_BUSY)
            record_pending(cap);
    }
    if (caught || !cap->awaited)
        cap->spin_backoff = 0;
    else if (cap->spin_backoff < SPIN_BACKOFF_MAX)
        cap->spin_backoff = (uint8_t)(cap->spin_backoff * 2 + 1);
    cap->spin_skip = cap->spin_backoff;
}

/* One that missed a round is not waited for: it is likely to miss this one, too. */
static bool is_awaited(const struct thread *thread)
{
    return thread->asked && !thread->held && !thread->ended && !thread->rounds_missed;
}

static bool any_awaited(const struct capture *cap)
{
    for (size_t i = 0; i < cap->process_len; i++)
        for (size_t k = 0; k < cap->processes[i]->thread_len; k++)
            if (is_awaited(cap->processes[i]->threads[k]))
                return true;
    return false;
}

/* Waits until every thread that was asked in this round has stopped, or is late. */
static void wait_for_all(struct capture *cap)
{
    uint64_t deadline = capture_now() + TOGETHER_NS;
    const struct target *target = &cap->target;
    sigset_t none;

    sigemptyset(&none);
    stops_drain(cap);
    while (any_awaited(cap) && capture_now() < deadline) {
        (void)!target->backend->wait(target->state, &none,
                                     cap->more_events ? 0 : capture_now() + WAIT_NS);
        stops_drain(cap);
    }
}

/*
 * The next round is to find on its CPU what ran in this one, each with the same chance; but only
 * where that must be so. Pushed off each time, and let go while we are on its CPU, a thread goes on
 * on another, which has nothing of its data: that made programs slower by a tenth, and more.
 */
static void choose_cpu(struct capture *cap)
{
    const struct target *target = &cap->target;
    struct thread *runner = cap->runner;

    cap->pace.is_wanted = cap->runners > 0;
    if (!runner || cap->has_clock || !runner->short_turns)
        pace_keep_to(&cap->pace, -1);
    else if (target->backend->last_cpu && !runner->ended)
        pace_keep_to(&cap->pace, target->backend->last_cpu(target->state, &runner->target));
}

void sampler_round(struct capture *cap)
{
    cap->holding = session_stops_all(cap);
    cap->runners = 0;
    cap->runner = NULL;
    for (size_t i = 0; i < cap->process_len; i++)
        look_at_process(cap, cap->processes[i]);
    ask_all(cap);
    if (cap->holding)
        wait_for_all(cap);
    else
        catch_stops(cap);
    for (size_t i = 0; i < cap->process_len; i++)
        repeat_quiet(cap, cap->processes[i]);
    if (cap->holding)
        stops_release(cap);
    record_pending(cap);
    for (size_t i = 0; i < cap->process_len; i++)
        if (cap->processes[i]->ran)
            mappings_check(cap, cap->processes[i], cap->processes[i]->ran);
    choose_cpu(cap);
}
