/* SPDX-License-Identifier: MIT */
#include "capture/sampler.h"

#include <signal.h>

#include "base/clock.h"
#include "capture/events.h"
#include "capture/mappings.h"
#include "capture/record.h"
#include "capture/stops.h"
#include "capture/waits.h"

/* How long to look for a stop without sleeping: a thread on a CPU stops within this. */
#define SPIN_NS 20000u
/* Rounds without such a look, at most, after looks that saw no stop. */
#define SPIN_BACKOFF_MAX 31
/* Meanwhile samples are written when so many bytes of them wait. */
#define ARENA_BUSY ((size_t)1 << 20)
/* A thread that has not run for so long is dormant. */
#define DORMANT_NS         UINT64_C(1000000000)
#define CHOOSE_INTERVAL_NS UINT64_C(250000000)
/* --together waits so long for threads that do not stop (in the kernel, or without a CPU). */
#define TOGETHER_NS 20000000u
#define WAIT_NS     1000000u
/* A thread that does not stop is checked for its end once in so many rounds. */
#define CHECK_ROUNDS 16u

/* Reads the thread's activity, as far as possible without stopping it. False: it has ended. */
static bool look(struct capture *cap, struct thread *thread)
{
    const struct target *target = &cap->target;

    if (target_can(target, BACKEND_STATES))
        return target->backend->activity(target->state, &thread->target, &thread->before);
    thread->before = (struct activity){.state = 'R'};
    return true;
}

/*
 * Notes the end of a thread that no event reports: a left one; or a traced one whose number a left
 * one has taken by exec. A first thread stays as long as there are others.
 */
static void has_ended(struct capture *cap, struct thread *thread)
{
    const struct target_process *process = &thread->process->target;

    if (!cap->leaving)
        return;
    if (!thread_is_left(thread))
        stops_check(cap, thread);
    else if (thread->target.tid != process->pid || process->live == 1)
        thread_ended(cap, thread);
}

/* The thread has run: makes it due for a sample. */
static void choose(struct capture *cap, struct thread *thread, uint64_t now)
{
    thread->rest = REST_NONE;
    /*
     * It has ended, and an event will tell; for a first thread when the last one has ended: until
     * then the process lives, and new threads may come.
     */
    if (!look(cap, thread)) {
        has_ended(cap, thread);
        return;
    }
    /* First found blocked, maybe for long: dormant unless it runs by the next round. */
    if (thread->record == RECORD_SAMPLE || thread->before.state == 'R')
        thread->ran_ns = now;
    if (thread->before.state == 'R' && pace_draw(&cap->pace, ++cap->runners) == 0)
        cap->runner = thread;
    thread_choose(thread);
}

/* Reads the thread's usage into `now`. False: it has ended. */
static bool read_usage(struct capture *cap, struct thread *thread)
{
    const struct target *target = &cap->target;

    return !target_can(target, BACKEND_CPU_TIMES) ||
           target->backend->usage(target->state, &thread->target, &thread->now);
}

/* Has it run since its last sample? With --on-cpu the first sample, too, wants a running thread. */
static bool has_run(struct capture *cap, struct thread *thread)
{
    const struct target *target = &cap->target;
    const bool sampled = thread->record == RECORD_SAMPLE;

    if (!target_can(target, BACKEND_CPU_TIMES) || (!sampled && !cap->options.on_cpu))
        return true;
    return target->backend->has_run(target->state, &thread->target, &thread->now,
                                    sampled ? &thread->before : NULL);
}

/* Returns true if the thread has run, or may have. */
static bool look_at_thread(struct capture *cap, struct thread *thread, bool known_same)
{
    if (thread_is_asked(thread)) {
        /* Its sample will stand for this round, too, as it has not run since it was asked. */
        thread->rounds_missed++;
        thread->missed_ns = thread->process->round_ns;
        if (thread->rounds_missed % CHECK_ROUNDS == 0 ||
            session_has_other_program(cap, thread->process))
            stops_check(cap, thread);
        return true;
    }
    if (thread->maker_until_ns && clock_now_ns() < thread->maker_until_ns)
        return true;
    if (!known_same && !thread->read && !read_usage(cap, thread)) {
        has_ended(cap, thread);
        return true;
    }
    if (!known_same && has_run(cap, thread)) {
        choose(cap, thread, clock_now_ns());
        return true;
    }
    thread->quiet = !cap->options.on_cpu;
    return false;
}

/* Is a sample of the thread due, or lost, so that IDLE must except it? */
static bool not_quiet(const struct thread *thread, uint64_t since)
{
    return !thread->quiet && thread->record == RECORD_SAMPLE &&
           thread->phase != THREAD_END_WRITTEN && thread->sample_ns < since;
}

/*
 * Repeats the samples of threads that have not run: in one IDLE record, which lists the exceptions,
 * or one by one if that is shorter.
 */
static void repeat_quiet(struct capture *cap, struct process *process)
{
    const uint64_t since = process->round_ns;
    size_t quiet = 0, others = 0;

    for (size_t i = 0; i < process->thread_len; i++) {
        struct thread *thread = process->threads[i];
        /* It may have ended meanwhile, or all by an exec that is not written yet. */
        thread->quiet = thread->quiet && thread->record == RECORD_SAMPLE &&
                        thread->phase != THREAD_END_WRITTEN && thread->sample_ns < since &&
                        process->announced;
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
 * Checks all dormant threads at once: none has run if the process's CPU time less that of the other
 * threads (*rest) is the same as before. True: the same. docs/decisions/0001-idle-process-check.md
 * tells what this can miss.
 */
static bool dormant_same(struct capture *cap, struct process *process, uint64_t *rest)
{
    const struct target *target = &cap->target;
    uint64_t others = 0;

    for (size_t i = 0; i < process->thread_len; i++) {
        struct thread *thread = process->threads[i];
        if (thread_has_ended(thread) || thread->rest == REST_DORMANT)
            continue;
        thread->read = read_usage(cap, thread);
        if (thread->read)
            others += thread->now.run_ns;
    }
    *rest = target->backend->process_usage(target->state, &process->target) - others;
    return process->rest_known && *rest == process->rest_ns;
}

/* Chooses which threads are dormant from now on. Done rarely, as a change costs a look at each. */
static void choose_dormant(struct process *process, uint64_t now)
{
    for (size_t i = 0; i < process->thread_len; i++) {
        struct thread *thread = process->threads[i];
        if (thread_has_ended(thread))
            continue;
        if (thread->rest == REST_ROUND && thread->record == RECORD_SAMPLE &&
            !thread_is_asked(thread) && now - thread->ran_ns >= DORMANT_NS) {
            thread->rest = REST_DORMANT;
            process->rest_known = false;
        }
    }
    process->chosen_ns = now;
}

static bool any_dormant(const struct process *process)
{
    for (size_t i = 0; i < process->thread_len; i++)
        if (process->threads[i]->rest == REST_DORMANT && !thread_has_ended(process->threads[i]))
            return true;
    return false;
}

/* Finds what left threads have done, of which no event tells. */
static void find_changes(struct capture *cap, struct process *process)
{
    const struct target *target = &cap->target;

    cap->wanted = WANT_LEFT;
    if (target->backend->list_threads(target->state, &process->target) != process->target.live)
        process->rest_known = false; /* some have ended: look at each */
    cap->wanted = WANT_MADE;
}

void sampler_find_others(struct capture *cap)
{
    for (size_t i = 0; i < cap->process_len; i++)
        if (!cap->processes[i]->target.live)
            find_changes(cap, cap->processes[i]);
}

/* Notes the end of a first thread that stayed until the others ended, after it was looked at. */
static void look_at_last(struct capture *cap, struct process *process)
{
    const struct target *target = &cap->target;
    struct activity now;

    for (size_t i = 0; i < process->thread_len; i++) {
        struct thread *thread = process->threads[i];
        if ((thread->phase == THREAD_RUNS || thread->phase == THREAD_LEFT) &&
            target_can(target, BACKEND_STATES) &&
            !target->backend->activity(target->state, &thread->target, &now))
            has_ended(cap, thread);
    }
}

/* Finds which threads of the process have run, and makes these due. */
static void look_at_process(struct capture *cap, struct process *process)
{
    uint64_t rest = 0, now = clock_now_ns();
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
        bool was_dormant = thread->rest == REST_DORMANT, ran;
        if (thread_has_ended(thread))
            continue;
        ran = look_at_thread(cap, thread, same && was_dormant);
        thread->read = false;
        if (thread->rest != REST_DORMANT)
            thread->rest = ran ? REST_NONE : REST_ROUND;
        if (ran)
            process->ran = thread->target.tid;
        woke |= was_dormant && ran;
    }
    if (woke)
        process->rest_known = false;
    if (cap->leaving && live > 1 && process->target.live == 1)
        look_at_last(cap, process);
}

/*
 * Attaches to left threads that are due. False: one kept us waiting, and none of the process can be
 * attached to in this round.
 */
static bool reattach_due(struct capture *cap, struct process *process)
{
    for (size_t i = 0; i < process->thread_len; i++)
        if (process->threads[i]->phase == THREAD_LEFT_DUE &&
            stops_reattach(cap, process->threads[i]) == STATUS_BUSY)
            return false;
    return true;
}

/* Before any thread is asked to stop, as an exec under way may keep us waiting. */
static void reattach_all(struct capture *cap)
{
    bool waited = false;

    for (size_t i = 0; i < cap->process_len; i++)
        waited |= !reattach_due(cap, cap->processes[i]);
    if (waited)
        events_drain(cap);
}

/* Asks all due threads to stop, before looking for a stop: the others run on until asked. */
static void ask_all(struct capture *cap)
{
    if (cap->leaving)
        reattach_all(cap);
    cap->awaited = 0;
    for (size_t i = 0; i < cap->process_len; i++)
        for (size_t k = 0; k < cap->processes[i]->thread_len; k++) {
            struct thread *thread = cap->processes[i]->threads[k];
            if (thread->phase == THREAD_LEFT_DUE) {
                thread_left(thread);
                stops_lose(cap, thread, SNAP_LOSS_UNREADABLE);
            }
            if (thread->phase != THREAD_DUE)
                continue;
            /* Its usage until now: what follows is caused by the request. */
            if (thread->before.state == 'R')
                (void)!read_usage(cap, thread);
            thread->round = cap->pace.round;
            thread->asked_ns = clock_now_ns();
            stops_ask(cap, thread);
        }
    if (cap->asked && !target_can(&cap->target, BACKEND_STOPS_ONE_THREAD))
        (void)!cap->target.backend->interrupt(cap->target.state, NULL);
}

/*
 * Looks for stops of asked threads without sleeping. A thread on a CPU stops within microseconds,
 * sooner than we could sleep and wake. A thread that waits for a CPU stays asked, and is sampled
 * when it stops; as does any thread while we have the only CPU.
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
    deadline = clock_now_ns() + SPIN_NS;
    while (cap->awaited && clock_now_ns() < deadline) {
        if (!events_drain(cap))
            continue;
        caught = true;
        deadline = clock_now_ns() + SPIN_NS;
        if (cap->arena.used >= ARENA_BUSY)
            record_pending(cap);
    }
    if (caught || !cap->awaited)
        cap->spin_backoff = 0;
    else if (cap->spin_backoff < SPIN_BACKOFF_MAX)
        cap->spin_backoff = (uint8_t)(cap->spin_backoff * 2 + 1);
    cap->spin_skip = cap->spin_backoff;
}

/* A thread that missed a round is not waited for: it is likely to miss this one, too. */
static bool is_awaited(const struct thread *thread)
{
    return thread->phase == THREAD_ASKED && !thread->rounds_missed;
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
    uint64_t deadline = clock_now_ns() + TOGETHER_NS;
    const struct target *target = &cap->target;
    sigset_t none;

    sigemptyset(&none);
    events_drain(cap);
    while (any_awaited(cap) && clock_now_ns() < deadline) {
        (void)!target->backend->wait(target->state, &none,
                                     cap->more_events ? 0 : clock_now_ns() + WAIT_NS);
        events_drain(cap);
    }
}

/*
 * Binds us to the CPU of a random thread that ran in this round, so that the next round finds it
 * there; only where the thread's turns are short. A thread that is pushed off each time goes on on
 * another CPU, without its data in the cache: this made programs slower by a tenth, and more.
 */
static void choose_cpu(struct capture *cap)
{
    const struct target *target = &cap->target;
    struct thread *runner = cap->runner;

    cap->pace.is_wanted = cap->runners > 0;
    if (!runner || cap->clock != NO_CLOCK || !runner->short_turns)
        pace_keep_to(&cap->pace, -1);
    else if (target->backend->last_cpu && !thread_has_ended(runner))
        pace_keep_to(&cap->pace, target->backend->last_cpu(target->state, &runner->target));
}

void sampler_round(struct capture *cap)
{
    if (session_stops_all(cap))
        cap->phase = CAPTURE_HOLDS;
    cap->runners = 0;
    cap->runner = NULL;
    for (size_t i = 0; i < cap->process_len; i++)
        look_at_process(cap, cap->processes[i]);
    ask_all(cap);
    if (cap->phase == CAPTURE_HOLDS)
        wait_for_all(cap);
    else
        catch_stops(cap);
    for (size_t i = 0; i < cap->process_len; i++)
        repeat_quiet(cap, cap->processes[i]);
    if (cap->phase == CAPTURE_HOLDS)
        stops_release(cap);
    record_pending(cap);
    for (size_t i = 0; i < cap->process_len; i++)
        if (cap->processes[i]->ran)
            mappings_check(cap, cap->processes[i], cap->processes[i]->ran);
    choose_cpu(cap);
}
