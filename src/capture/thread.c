/* SPDX-License-Identifier: MIT */
#include "capture/thread.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/vec.h"
#include "capture/session.h"

static struct thread **bucket(struct capture *cap, pid_t tid)
{
    return &cap->by_tid[(unsigned)tid % TID_BUCKETS];
}

struct thread *thread_find(const struct capture *cap, pid_t tid)
{
    struct thread *thread = cap->by_tid[(unsigned)tid % TID_BUCKETS];

    while (thread && (thread->target.tid != tid || thread_has_ended(thread)))
        thread = thread->next;
    return thread;
}

/* Later threads are found first. */
struct thread *thread_find_last(const struct capture *cap, pid_t tid)
{
    struct thread *thread = cap->by_tid[(unsigned)tid % TID_BUCKETS];

    while (thread && thread->target.tid != tid)
        thread = thread->next;
    return thread;
}

/* The thread was found, or runs another program: sets its times, name and start. */
static void begin(struct capture *cap, struct thread *thread)
{
    const struct target *target = &cap->target;

    thread->found_ns = clock_now_ns();
    thread->named_ns = thread->found_ns;
    (void)target->backend->identify(target->state, &thread->target, thread->name,
                                    &thread->start_ticks);
}

struct thread *thread_add(struct capture *cap, struct process *process, pid_t tid)
{
    const struct capture_backend *backend = cap->target.backend;
    struct thread *thread = calloc(1, sizeof(*thread) + backend->thread_size);

    if (!thread || vec_reserve(&process->threads, &process->thread_cap, process->thread_len + 1,
                               sizeof(struct thread *)) != STATUS_OK) {
        free(thread);
        return NULL;
    }
    thread->target =
        (struct target_thread){.tid = tid, .process = &process->target, .own = thread + 1};
    thread->process = process;
    backend->begin_thread(cap->target.state, &thread->target);
    thread->next = *bucket(cap, tid);
    *bucket(cap, tid) = thread;
    process->threads[process->thread_len++] = thread;
    process->target.live++;
    process->rest_known = false;
    begin(cap, thread);
    cap->result.threads++;
    cap->dirty = true;
    return thread;
}

void thread_choose(struct thread *thread)
{
    thread->phase = thread->phase == THREAD_LEFT ? THREAD_LEFT_DUE : THREAD_DUE;
}

void thread_attached(struct thread *thread)
{
    if (thread_is_left(thread))
        thread->phase = thread->phase == THREAD_LEFT ? THREAD_RUNS : THREAD_DUE;
}

void thread_left(struct thread *thread)
{
    thread->phase = thread->phase == THREAD_DUE ? THREAD_LEFT_DUE : THREAD_LEFT;
}

void thread_asked(struct capture *cap, struct thread *thread)
{
    thread->phase = THREAD_ASKED;
    thread->rounds_missed = 0;
    cap->asked++;
    cap->awaited++;
}

void thread_answered(struct capture *cap, struct thread *thread)
{
    if (!thread_is_asked(thread))
        return;
    cap->asked--;
    if (!thread->rounds_missed && cap->awaited)
        cap->awaited--;
    thread->phase = THREAD_RUNS;
    thread->rounds_missed = 0;
}

void thread_ended(struct capture *cap, struct thread *thread)
{
    thread->rounds_lost = thread_is_asked(thread) ? 1 + thread->rounds_missed : 0;
    thread_answered(cap, thread);
    thread->phase = THREAD_ENDED;
    thread->process->target.live--;
    thread->process->rest_known = false;
    cap->dirty = true;
}

void thread_replaced(struct capture *cap, struct thread *thread)
{
    if (!thread_has_ended(thread))
        thread_ended(cap, thread);
    if (thread->phase == THREAD_ENDED)
        thread->phase = THREAD_REPLACED;
}

/* Forgets what is known of an earlier program: the backend's state, the last stack, usage. */
static void reset(struct capture *cap, struct thread *thread)
{
    cap->target.backend->forget_thread(cap->target.state, &thread->target);
    delta_base_clear(&thread->base);
    pointee_record_forget(thread);
    thread->record = RECORD_NONE;
    thread->used_known = false;
    thread->thread_pointer = 0;
    thread->scheduler_addr = 0;
    thread->lock.size = 0;
    thread->wait_count = 0;
    thread->rest = REST_NONE;
}

void thread_begin_anew(struct capture *cap, struct thread *thread)
{
    reset(cap, thread);
    cap->target.backend->begin_thread(cap->target.state, &thread->target);
    begin(cap, thread);
}

void thread_free(struct capture *cap, struct thread *thread)
{
    struct thread **link = bucket(cap, thread->target.tid);

    while (*link != thread)
        link = &(*link)->next;
    *link = thread->next;
    reset(cap, thread);
    delta_base_deinit(&thread->base);
    pointee_record_deinit(thread);
    free(thread);
}
