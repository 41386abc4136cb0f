/* SPDX-License-Identifier: MIT */
/*
 * A history made by hand for the tests of the timeline: threads, what samples found, and waits.
 *
 *     scene_init(&scene);
 *     scene_thread(&scene, 8, "worker", 0);
 *     scene_sample(&scene, 8, 10, 'R', 5, "start worker f");   CPU time since the sample before: 5
 *     scene_repeat(&scene, 8, 20);
 *     scene_finish(&scene, 10);                                the period
 */
#ifndef TESTS_TIMELINE_FIXTURE_H
#define TESTS_TIMELINE_FIXTURE_H

#include "graph_fixture.h"
#include "threads/timeline.h"

#define SCENE_PID 7u

static const struct fixture_function SCENE_FUNCTIONS[] = {
    {"main", 0, 0x1000, "main", "prog.c", 10, NULL, false},
    {"worker", 0, 0x2000, "worker", "prog.c", 30, NULL, false},
    {"f", 0, 0x3000, "f", "prog.c", 50, NULL, false},
    {"g", 0, 0x4000, "g<int, \"&\">", "prog.c", 70, "inlined_into_g", false},
    {"start", 1, 0x1000, "start_thread", NULL, 0, NULL, false},
    {"futex", 1, 0x2000, "futex_wait", NULL, 0, NULL, false},
    {"cxx", 0, 0x5000, "std::vector<a::b, c> std::f<int>(int)", NULL, 0, "std::g()", false},
    {"long", 0, 0x6000, "a_pool_of_several_things::first_kind_of_worker", NULL, 0, NULL, false},
    {"nameless", 1, 0x3000, NULL, NULL, 0, NULL, false},
    {0},
};

struct scene {
    struct fixture graph;
    struct history history;
    struct waits waits;
    struct wait wait_list[32];
    struct wait_object objects[8];
    struct report report;
    struct timeline *timeline;
};

static inline void scene_thread(struct scene *scene, uint32_t tid, const char *name,
                                uint64_t time_ns)
{
    const struct snap_thread info = {.pid = SCENE_PID,
                                     .tid = tid,
                                     .name = name,
                                     .time_ns = time_ns};

    assert_int_equal(history_thread(&scene->history, &info), STATUS_OK);
}

static inline void scene_end(struct scene *scene, uint32_t tid, uint64_t time_ns)
{
    const struct snap_thread info = {.pid = SCENE_PID, .tid = tid, .time_ns = time_ns};

    assert_int_equal(history_thread_end(&scene->history, &info), STATUS_OK);
}

/* With the first thread, main. */
static inline void scene_init(struct scene *scene)
{
    const struct snap_process process = {.pid = SCENE_PID, .exe = "/usr/bin/prog"};

    *scene = (struct scene){.waits = {.list = scene->wait_list, .objects = scene->objects}};
    fixture_init(&scene->graph, SCENE_FUNCTIONS);
    history_init(&scene->history, NULL, arch_get(ARCH_X86_64));
    assert_int_equal(history_process(&scene->history, &process), STATUS_OK);
    scene_thread(scene, SCENE_PID, "prog", 0);
}

static inline void scene_sample(struct scene *scene, uint32_t tid, uint64_t time_ns, char state,
                                uint64_t cpu_ns, const char *text)
{
    const struct snap_sample sample = {
        .pid = SCENE_PID, .tid = tid, .time_ns = time_ns, .cpu_ns = cpu_ns, .state = state};
    struct chain chain = fixture_chain(&scene->graph, text);
    struct ingest_sample given = {.sample = &sample, .chain = &chain};

    assert_int_equal(profile_chain(scene->graph.profile, &chain, NULL, &given.chain_id), STATUS_OK);
    assert_int_equal(history_sample(&scene->history, &given), STATUS_OK);
    chain_deinit(&chain);
}

/* The thread has not run since its last sample. */
static inline void scene_repeat(struct scene *scene, uint32_t tid, uint64_t time_ns)
{
    const struct history_thread *thread =
        &scene->history.threads[history_find(&scene->history, tid)];
    const struct span *last = &thread->spans[thread->span_count - 1];
    const struct snap_sample sample = {
        .pid = SCENE_PID, .tid = tid, .time_ns = time_ns, .state = last->state, .repeat = true};
    const struct chain chain = {.count = 0};
    const struct ingest_sample given = {.sample = &sample,
                                        .chain = &chain,
                                        .chain_id = last->chain};

    assert_int_equal(history_sample(&scene->history, &given), STATUS_OK);
}

/* Thread 8's last span so far is a wait of this kind. */
static inline void scene_wait(struct scene *scene, enum wait_kind kind, const char *object,
                              uint32_t owner_tid)
{
    struct history_thread *thread = &scene->history.threads[history_find(&scene->history, 8)];
    struct waits *waits = &scene->waits;

    thread->spans[thread->span_count - 1].wait = (uint32_t)waits->count;
    scene->wait_list[waits->count] =
        (struct wait){.kind = kind, .object = WAIT_NONE, .owner_tid = owner_tid, .syscall = -1};
    if (object) {
        scene->wait_list[waits->count].object = (uint32_t)waits->object_count;
        scene->objects[waits->object_count++] =
            (struct wait_object){.pid = SCENE_PID, .kind = kind, .name = object, .detail = ""};
    }
    waits->count++;
}

static inline struct timeline *scene_finish_as(struct scene *scene, uint64_t period_ns,
                                               bool on_cpu_only)
{
    const struct timeline_source source = {.report = &scene->report,
                                           .names = scene->graph.names,
                                           .period_ns = period_ns,
                                           .on_cpu_only = on_cpu_only};

    scene->waits.list = scene->wait_list;
    scene->waits.objects = scene->objects;
    scene->history.waits = &scene->waits;
    assert_int_equal(profile_resolve(scene->graph.profile, scene->graph.names), STATUS_OK);
    scene->report = (struct report){.history = &scene->history, .profile = scene->graph.profile};
    assert_int_equal(report_prepare(&scene->report, NULL), STATUS_OK);
    assert_int_equal(timeline_create(&source, &scene->timeline), STATUS_OK);
    return scene->timeline;
}

static inline struct timeline *scene_finish(struct scene *scene, uint64_t period_ns)
{
    return scene_finish_as(scene, period_ns, false);
}

static inline void scene_deinit(struct scene *scene)
{
    timeline_destroy(scene->timeline);
    report_deinit(&scene->report);
    scene->history.waits = NULL;
    history_deinit(&scene->history);
    fixture_deinit(&scene->graph);
}

#endif
