/* SPDX-License-Identifier: MIT */
/*
 * A history made by hand for the tests of what tells of threads, with chains as in graph_fixture.h.
 *
 *     story_thread(&s, 8, "worker", 7, "start main pool create clone", 1000);
 *     story_sample(&s, 8, 2000, 'S', "clone start_thread worker wait");
 *
 * thread 7 makes thread 8, then 8 is found waiting.
 */
#ifndef TESTS_THREADS_FIXTURE_H
#define TESTS_THREADS_FIXTURE_H

#include "graph_fixture.h"
#include "threads/report.h"

#define STORY_PID 7u

struct story {
    struct fixture fixture;
    struct history history;
    struct report report;
    uint32_t pid; /* of what comes */
};

static inline void story_process(struct story *s, uint32_t pid, const char *exe)
{
    const struct snap_process process = {.pid = pid, .parent_pid = 1, .exe = exe};

    s->pid = pid;
    assert_int_equal(history_process(&s->history, &process), STATUS_OK);
}

static inline uint32_t story_chain(struct story *s, const char *text, enum stop_reason stop)
{
    struct chain chain = fixture_chain(&s->fixture, text);
    uint32_t id;

    chain.stop = stop;
    assert_int_equal(profile_chain(s->fixture.profile, &chain, NULL, &id), STATUS_OK);
    chain_deinit(&chain);
    return id;
}

/* `chain` NULL: nobody saw how it was made; `maker` is of no use then. */
static inline void story_thread(struct story *s, uint32_t tid, const char *name, uint32_t maker,
                                const char *chain, uint64_t time_ns)
{
    const struct snap_thread thread = {.pid = s->pid, .tid = tid, .name = name, .time_ns = time_ns};
    const struct snap_creation creation = {.maker = {.tid = maker, .time_ns = time_ns},
                                           .new_pid = s->pid,
                                           .new_tid = tid};
    struct ingest_creation given = {.creation = &creation};

    assert_int_equal(history_thread(&s->history, &thread), STATUS_OK);
    if (!chain)
        return;
    given.chain_id = story_chain(s, chain, STOP_THREAD_START);
    assert_int_equal(history_creation(&s->history, &given), STATUS_OK);
}

static inline void story_end(struct story *s, uint32_t tid, uint64_t time_ns)
{
    const struct snap_thread thread = {.pid = s->pid, .tid = tid, .time_ns = time_ns};

    assert_int_equal(history_thread_end(&s->history, &thread), STATUS_OK);
}

/* With 16 bytes of stack a frame, each thread's in a mapping of its own, and CPU time of 1 ms where
 * it runs. */
static inline void story_sample_that_stops(struct story *s, uint32_t tid, uint64_t time_ns,
                                           char state, const char *text, enum stop_reason stop)
{
    struct chain chain = fixture_chain(&s->fixture, text);
    const uint64_t end_addr = 0x20000 * (uint64_t)(tid + 1);
    const struct snap_region region = {.start_addr = end_addr - 0x19000,
                                       .end_addr = end_addr,
                                       .map_end_addr = end_addr};
    struct snap_sample sample = {.pid = s->pid,
                                 .tid = tid,
                                 .time_ns = time_ns,
                                 .cpu_ns = state == 'R' ? 1000000 : 0,
                                 .state = state,
                                 .regions = &region,
                                 .region_count = 1,
                                 .stack_map_addr = end_addr - 0x10000};
    struct ingest_sample given = {.sample = &sample, .chain = &chain};

    regs_set(&sample.regs, s->history.arch->sp, end_addr - 16 * chain.count);
    given.chain_id = story_chain(s, text, stop);
    assert_int_equal(history_sample(&s->history, &given), STATUS_OK);
    chain_deinit(&chain);
}

static inline void story_sample(struct story *s, uint32_t tid, uint64_t time_ns, char state,
                                const char *text)
{
    story_sample_that_stops(s, tid, time_ns, state, text, STOP_THREAD_START);
}

/* The process and its first thread are there. */
static inline void story_begin(struct story *s, const struct fixture_function *functions)
{
    *s = (struct story){0};
    fixture_init(&s->fixture, functions);
    history_init(&s->history, NULL, arch_get(ARCH_X86_64));
    story_process(s, STORY_PID, "/usr/bin/prog");
    story_thread(s, STORY_PID, "prog", 0, NULL, 0);
}

/* What came of it: the report is valid until story_deinit. */
static inline const struct report *story_report(struct story *s)
{
    assert_int_equal(profile_resolve(s->fixture.profile, s->fixture.names), STATUS_OK);
    s->report.history = &s->history;
    s->report.profile = s->fixture.profile;
    assert_int_equal(report_prepare(&s->report, NULL), STATUS_OK);
    return &s->report;
}

/* Of the i-th thread that came. */
static inline const struct identity *story_identity(const struct report *report, uint32_t thread)
{
    return &report->identities->list[report->identities->of_thread[thread]];
}

static inline void story_deinit(struct story *s)
{
    report_deinit(&s->report);
    history_deinit(&s->history);
    fixture_deinit(&s->fixture);
}

#endif
