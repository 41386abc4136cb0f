/* SPDX-License-Identifier: MIT */
#include "capture/events.h"

#include "base/clock.h"
#include "capture/stops.h"
#include "capture/targets.h"

/* Events in one call of events_drain, so that a target that stops without end does not keep us. */
#define DRAIN_MAX 1000u
/* Events are taken before the first is answered: a stop's time shows what a thread was doing. */
#define DRAIN_AT_ONCE 64u
/* A signal that is sent to us and to our process group, as by timeout(1), comes twice. */
#define SIGNAL_AGAIN_NS 200000000u

static void answer_stop(struct capture *cap, const struct backend_event *event)
{
    const uint64_t begin_ns = clock_now_ns();
    struct thread *thread = event->thread ? thread_of(event->thread) : NULL;
    const struct stop_action action =
        thread ? stops_answer(cap, thread, event) : stops_answer_whole(cap, event->seen_ns);

    stops_act(cap, thread, &action);
    if (action.cost >= COST_OWN)
        cap->others_ns += clock_now_ns() - begin_ns;
    if (action.made)
        targets_adopt(cap, action.made);
}

static void answer(struct capture *cap, const struct backend_event *event)
{
    switch (event->kind) {
    case EVENT_NONE:
        return;
    case EVENT_ENDED:
        if (event->thread && !thread_has_ended(thread_of(event->thread)))
            thread_ended(cap, thread_of(event->thread));
        if (event->command_ended) {
            cap->result.command_ended = true;
            cap->result.command_status = event->command_status;
        }
        return;
    case EVENT_STOPPED:
    case EVENT_CREATED:
    case EVENT_EXEC:
        answer_stop(cap, event);
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

bool events_drain(struct capture *cap)
{
    struct backend_event events[DRAIN_AT_ONCE];
    size_t count, taken = 0;

    do {
        count = take_events(cap, events);
        for (size_t i = 0; i < count; i++)
            answer(cap, &events[i]);
        taken += count;
    } while (count && taken < DRAIN_MAX);
    cap->more_events = count > 0;
    return taken > 0;
}

/* SIGTSTP was taken: asks for the suspension, unless SIGCONT has come since. */
static void ask_to_suspend(struct capture *cap)
{
    sigset_t pending;

    sigpending(&pending);
    if (sigismember(&pending, SIGCONT))
        return;
    raise(SIGTSTP);
    cap->suspend = true;
}

void events_wait(struct capture *cap, const sigset_t *signals, uint64_t until_ns)
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
        events_drain(cap);
    if (signal == SIGTSTP)
        ask_to_suspend(cap);
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

void events_wait_only(struct capture *cap, uint64_t until_ns)
{
    sigset_t none;

    sigemptyset(&none);
    events_wait(cap, &none, until_ns);
}
