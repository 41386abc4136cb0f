/* SPDX-License-Identifier: MIT */
/*
 * A history made by hand: threads, objects, and spans that wait for them.
 *
 *     uint32_t a = waiter_thread(&f, 11, "a"), lock = waiter_object(&f, WAIT_MUTEX, "g_lock");
 *     waiter_waits(&f, a, 100, 300, lock, 12);
 *
 * lets thread a wait from 100 to 300 for g_lock, which thread 12 holds. What a span has besides is
 * set in what is returned.
 */
#ifndef TESTS_WAITER_FIXTURE_H
#define TESTS_WAITER_FIXTURE_H

#include "graph_fixture.h"

#include "base/vec.h"
#include "threads/blocking/deadlock.h"
#include "threads/blocking/lock_order.h"
#include "threads/blocking/wait_graph.h"

static const struct fixture_function WAITER_FUNCTIONS[] = {
    {"start", 0, 0x1000, "start_thread", NULL, 0, NULL, false},
    {"main", 0, 0x2000, "main", "src/main.c", 10, NULL, false},
    {"f", 0, 0x3000, "take_both", "src/locks.c", 100, NULL, false},
    {"g", 0, 0x4000, "take_other", "src/locks.c", 200, NULL, false},
    {"work", 0, 0x5000, "work", "src/locks.c", 300, NULL, false},
    {"clone", 1, 0x7000, "clone3", NULL, 0, NULL, false},
    {"begin", 1, 0xc000, "start_thread", NULL, 0, NULL, false},
    {"inside", 1, 0x8000, "__GI___lll_lock_wait", NULL, 0, NULL, false},
    {"linked", 0, 0x9000, "___pthread_mutex_lock", NULL, 0, NULL, false},
    {"linked_inside", 0, 0xa000, "__lll_lock_wait", NULL, 0, NULL, false},
    {"own_start", 0, 0xb000, "start", NULL, 0, NULL, false},
    {"run", 0, 0xd000, "std::thread::_State_impl<void (*)()>::_M_run()", NULL, 0, NULL, false},
    {"guard", 0, 0xe000, "std::lock_guard<std::mutex>::lock_guard(std::mutex&)",
     "/usr/include/c++/12/bits/std_mutex.h", 229, NULL, false},
    {"lock", 1, 0x6000, "pthread_mutex_lock", NULL, 0, NULL, false},
    {NULL, 0, 0, NULL, NULL, 0, NULL, false},
};

struct waiter_fixture {
    struct fixture graph;
    struct waits waits;
    struct history history;
    const struct identities *identities; /* borrowed; NULL: the graph gets none */
    struct wait_graph *made;
    struct deadlocks *deadlocks;
    struct lock_orders *orders;
};

static inline void waiter_process(struct waiter_fixture *f, uint32_t pid, bool one_moment)
{
    const struct snap_process process = {.pid = pid, .exe = "/usr/bin/prog", .whole = true};

    f->history.waits = NULL;
    f->history.one_moment = one_moment;
    assert_int_equal(history_process(&f->history, &process), STATUS_OK);
}

static inline void waiter_init(struct waiter_fixture *f)
{
    *f = (struct waiter_fixture){0};
    fixture_init(&f->graph, WAITER_FUNCTIONS);
    history_init(&f->history, NULL, NULL);
    f->history.is_apart = true;
    waiter_process(f, 7, false);
}

static inline void waiter_forget(struct waiter_fixture *f)
{
    lock_orders_destroy(f->orders);
    deadlocks_destroy(f->deadlocks);
    wait_graph_destroy(f->made);
    f->orders = NULL;
    f->deadlocks = NULL;
    f->made = NULL;
}

static inline void waiter_deinit(struct waiter_fixture *f)
{
    waiter_forget(f);
    f->history.waits = NULL;
    history_deinit(&f->history);
    free(f->waits.list);
    free(f->waits.objects);
    fixture_deinit(&f->graph);
}

/* Found at time 1, of the process that came last. */
static inline uint32_t waiter_thread(struct waiter_fixture *f, uint32_t tid, const char *name)
{
    const struct snap_thread thread = {.pid =
                                           f->history.processes[f->history.process_count - 1].pid,
                                       .tid = tid,
                                       .time_ns = 1,
                                       .name = name};

    f->history.waits = NULL; /* set by hand later: nothing is recognised here */
    assert_int_equal(history_thread(&f->history, &thread), STATUS_OK);
    return (uint32_t)f->history.thread_count - 1;
}

static inline uint32_t waiter_object(struct waiter_fixture *f, enum wait_kind kind,
                                     const char *name)
{
    struct waits *waits = &f->waits;

    if (waits->object_count == waits->object_cap) {
        waits->object_cap = waits->object_cap * 2 + 16;
        waits->objects = realloc(waits->objects, waits->object_cap * sizeof(*waits->objects));
    }
    waits->objects[waits->object_count] =
        (struct wait_object){.pid = 7, .kind = kind, .addr = 0x1000, .name = name, .detail = ""};
    return (uint32_t)waits->object_count++;
}

/* Equal waits are one, as in life. */
static inline uint32_t waiter_wait(struct waiter_fixture *f, enum wait_kind kind, uint32_t object,
                                   uint32_t owner_tid)
{
    struct waits *waits = &f->waits;

    for (size_t i = waits->count; i-- > 0 && i + 100 > waits->count;)
        if (waits->list[i].object == object && waits->list[i].owner_tid == owner_tid &&
            waits->list[i].kind == kind)
            return (uint32_t)i;
    if (waits->count == waits->cap) {
        waits->cap = waits->cap * 2 + 16;
        waits->list = realloc(waits->list, waits->cap * sizeof(*waits->list));
    }
    waits->list[waits->count] =
        (struct wait){.kind = kind, .object = object, .owner_tid = owner_tid, .syscall = -1};
    return (uint32_t)waits->count++;
}

static inline uint32_t waiter_chain(struct waiter_fixture *f, const char *text)
{
    struct chain chain = fixture_chain(&f->graph, text);
    uint32_t id;

    assert_int_equal(profile_chain(f->graph.profile, &chain, NULL, &id), STATUS_OK);
    chain_deinit(&chain);
    return id;
}

/* A span in which nothing is waited for; the last sample that saw it was at its end. */
static inline struct span *waiter_runs(struct waiter_fixture *f, uint32_t thread, uint64_t start_ns,
                                       uint64_t end_ns)
{
    struct history_thread *t = &f->history.threads[thread];
    struct span *span;

    assert_int_equal(vec_reserve(&t->spans, &t->span_cap, t->span_count + 1, sizeof(*span)),
                     STATUS_OK);
    span = &t->spans[t->span_count++];
    *span = (struct span){.start_ns = start_ns,
                          .end_ns = end_ns,
                          .seen_ns = end_ns,
                          .samples = 2,
                          .wait = WAIT_NONE,
                          .chain = waiter_chain(f, "start main work"),
                          .state = 'R'};
    t->samples += end_ns > start_ns ? 2 : 1;
    if (end_ns > f->history.last_ns)
        f->history.last_ns = end_ns;
    f->history.has_samples = true;
    return span;
}

/* Repeated from its start on, and read just before its end. */
static inline struct span *waiter_waits(struct waiter_fixture *f, uint32_t thread,
                                        uint64_t start_ns, uint64_t end_ns, uint32_t object,
                                        uint32_t owner_tid)
{
    struct span *span = waiter_runs(f, thread, start_ns, end_ns);
    enum wait_kind kind = f->waits.objects[object].kind;

    span->wait = waiter_wait(f, kind, object, owner_tid);
    span->chain = waiter_chain(f, thread % 2 ? "start main g lock" : "start main f lock");
    span->state = 'S';
    span->read_ns = end_ns - (end_ns > start_ns);
    f->history.threads[thread].proof = (struct span_proof){.repeats = 2, .sure_ns = start_ns};
    return span;
}

/* To be called when all is added; what was made before is made anew. */
static inline void waiter_make(struct waiter_fixture *f)
{
    waiter_forget(f);
    f->history.waits = &f->waits;
    assert_int_equal(profile_resolve(f->graph.profile, f->graph.names), STATUS_OK);
    assert_int_equal(wait_graph_create(&f->history, f->identities, NULL, &f->made), STATUS_OK);
    assert_int_equal(deadlocks_find(f->made, &f->deadlocks), STATUS_OK);
    assert_int_equal(lock_orders_find(f->made, f->deadlocks, &f->orders), STATUS_OK);
}

#endif
