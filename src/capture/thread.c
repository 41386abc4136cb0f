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

    while (thread && (thread->target.tid != tid || thread->ended))
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
        session_fail(cap, STATUS_NO_MEMORY, "out of memory");
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

void thread_answered(struct capture *cap, struct thread *thread)
{
    if (thread->asked)
        cap->asked--;
    if (thread->asked && !thread->rounds_missed && cap->awaited)
        cap->awaited--;
    thread->asked = false;
    thread->rounds_missed = 0;
}

void thread_ended(struct capture *cap, struct thread *thread)
{
    thread->ended = true;
    thread->left = thread->due = false;
    thread->held = false;
    thread->process->target.live--;
    thread->process->rest_known = false;
    if (thread->asked)
        cap->asked--;
    if (thread->asked && !thread->rounds_missed && cap->awaited)
        cap->awaited--;
    cap->dirty = true;
}

/* Forgets what is known of an earlier program: the backend's state, the last stack, usage. */
static void reset(struct capture *cap, struct thread *thread)
{
    cap->target.backend->forget_thread(cap->target.state, &thread->target);
    delta_base_clear(&thread->base);
    pointee_record_forget(thread);
    thread->sampled = false;
    thread->used_known = false;
    thread->thread_pointer = 0;
    thread->scheduler_addr = 0;
    thread->lock.size = 0;
    thread->wait_count = 0;
    thread->same = false;
    thread->dormant = false;
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
