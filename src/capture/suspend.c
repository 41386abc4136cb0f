/* SPDX-License-Identifier: MIT */
#include "capture/suspend.h"

#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "capture/events.h"
#include "capture/guard.h"
#include "capture/mappings.h"
#include "capture/session.h"
#include "capture/ticks.h"

/* How long a thread that cannot stop, in the kernel, is waited for: at a time, and in all. */
#define WAIT_NS    UINT64_C(100000000)
#define GIVE_UP_NS UINT64_C(2000000000)

void suspend_detach(struct capture *cap, uint64_t deadline_ns, void (*settle)(struct capture *cap))
{
    const struct target *target = &cap->target;

    for (size_t i = 0; i < cap->process_len; i++)
        for (size_t k = 0; k < cap->processes[i]->thread_len; k++) {
            struct thread *thread = cap->processes[i]->threads[k];
            if (thread_has_ended(thread))
                continue;
            if ((cap->leaving && thread_is_left(thread)) ||
                target->backend->interrupt(target->state, &thread->target) == STATUS_NOT_FOUND)
                thread_ended(cap, thread);
        }
    if (cap->leaving && settle) /* there may be none to wait for */
        settle(cap);
    while (cap->process_len && clock_now_ns() < deadline_ns) {
        events_wait_only(cap, deadline_ns);
        if (settle)
            settle(cap);
    }
}

static sigset_t set_of(int signal)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, signal);
    return set;
}

/*
 * SIGCONT may come before all threads were let go, and nobody would send another. The kernel drops
 * pending stop signals when SIGCONT comes, and a pending SIGCONT when a stop signal does. So both
 * are blocked: the later one is pending; SIGTSTP is sent again when it was taken, to stay pending
 * until we can stop.
 */
void suspend_prepare(struct capture *cap)
{
    const sigset_t cont = set_of(SIGCONT);

    if (!cap->options.backend->attach_again) {
        signal(SIGTSTP, SIG_IGN);
        return;
    }
    signal(SIGTSTP, SIG_DFL); /* an ignored signal would not be pending once we unblock it */
    sigaddset(&cap->end_set, SIGTSTP);
    sigprocmask(SIG_BLOCK, &cont, NULL);
}

void suspend_self(struct capture *cap)
{
    const sigset_t stop = set_of(SIGTSTP);

    cap->suspend = false;
    guard_park(cap->guard, true);
    sigprocmask(SIG_UNBLOCK, &stop, NULL);
    sigprocmask(SIG_BLOCK, &stop, NULL);
}

/* Drops a pending SIGTSTP; the next one counts. */
static void forget_stop(void)
{
    signal(SIGTSTP, SIG_IGN);
    signal(SIGTSTP, SIG_DFL);
}

/* Are only threads left that cannot be detached: first threads that ended before the others? */
static bool all_gone(struct capture *cap)
{
    const struct target *target = &cap->target;
    struct activity activity;

    for (size_t i = 0; i < cap->process_len; i++)
        for (size_t k = 0; k < cap->processes[i]->thread_len; k++) {
            struct thread *thread = cap->processes[i]->threads[k];
            if (!thread_has_ended(thread) &&
                target->backend->activity(target->state, &thread->target, &activity))
                return false;
        }
    return true;
}

/*
 * Is no thread of these processes traced by us? A thread that was made while its maker was detached
 * is, until its first stop was seen.
 */
static bool none_held(struct capture *cap, const pid_t *pids, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (cap->target.backend->holds(cap->target.state, pids[i]))
            return false;
    return true;
}

static void attach_again(struct capture *cap, const pid_t *pids, size_t count, uint64_t before_ns)
{
    const struct target *target = &cap->target;
    struct diag diag = {0};

    for (size_t i = 0; i < count && cap->status == STATUS_OK; i++) {
        enum status status;
        cap->wanted = WANT_FIRST;
        status = target->backend->attach_again(target->state, pids[i], before_ns, &diag);
        if (status != STATUS_OK && status != STATUS_NOT_FOUND)
            session_fail(cap, status, "after the stop: %s", diag.what);
    }
    cap->wanted = WANT_MADE;
    for (size_t i = 0; i < cap->process_len; i++)
        if (!cap->processes[i]->maps_read_ns && cap->processes[i]->thread_len)
            mappings_read(cap, cap->processes[i], cap->processes[i]->threads[0]->target.tid);
}

static uint64_t boot_time(void)
{
    struct timespec now = {.tv_sec = 0};

    clock_gettime(CLOCK_BOOTTIME, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

void suspend_until_continued(struct capture *cap, void (*settle)(struct capture *cap))
{
    const size_t count = cap->process_len;
    const uint64_t begin_ns = clock_now_ns(), begin_boot_ns = boot_time();
    pid_t *pids = malloc(count * sizeof(*pids) + 1);
    const bool ticking = cap->clock == CLOCK_RUNS;
    bool all = false;

    cap->suspend = false;
    if (!pids) {
        forget_stop();
        return;
    }
    cap->phase = CAPTURE_SUSPENDS;
    ticks_run(cap, false);
    for (size_t i = 0; i < count; i++)
        pids[i] = cap->processes[i]->target.pid;
    while (!all && clock_now_ns() - begin_ns < GIVE_UP_NS) {
        suspend_detach(cap, clock_now_ns() + WAIT_NS, settle);
        events_wait_only(cap, clock_now_ns());
        if (settle)
            settle(cap);
        all = all_gone(cap) && none_held(cap, pids, count);
    }
    /* If a thread cannot be stopped we must not be either: it would stop later, unanswered. */
    if (all)
        suspend_self(cap);
    else
        forget_stop();
    guard_park(cap->guard, false);
    cap->phase = CAPTURE_RUNS;
    if (all) /* no thread was held before */
        cap->clear_ns = clock_now_ns();
    attach_again(cap, pids, count, begin_boot_ns);
    ticks_run(cap, ticking);
    if (settle) {
        cap->sweepable = true;
        session_sweep(cap);
    }
    cap->clear_ns = clock_now_ns();
    cap->begin_ns += cap->clear_ns - begin_ns;
    cap->pace.due_ns = cap->clear_ns;
    free(pids);
}
