/* SPDX-License-Identifier: MIT */
/*
 * What the timeline makes of samples: pieces of time, their states and functions, rows and texts.
 */
#include "timeline_fixture.h"

/* The thread that the tests are about. */
static void begin(struct scene *scene)
{
    scene_thread(scene, 8, "worker", 0);
}

/* Idle threads are looked at: the first one is. */
static void add_idle(struct scene *scene)
{
    scene_sample(scene, SCENE_PID, 10, 'S', 0, "main futex");
    scene_repeat(scene, SCENE_PID, 20);
}

static struct timeline_cursor walk(const struct scene *scene)
{
    struct timeline_cursor cursor;

    timeline_begin(scene->timeline, 1, &cursor);
    return cursor;
}

static struct timeline_cursor finish(struct scene *scene)
{
    scene_finish(scene, 10);
    return walk(scene);
}

static void assert_piece(struct timeline_cursor *cursor, uint64_t start_ns, uint64_t end_ns,
                         enum timeline_state state, uint64_t cpu_ns)
{
    struct timeline_piece piece;

    assert_true(timeline_next(cursor, &piece));
    assert_int_equal(piece.start_ns, start_ns);
    assert_int_equal(piece.end_ns, end_ns);
    assert_string_equal(timeline_state_name(piece.state), timeline_state_name(state));
    assert_int_equal(piece.cpu_ns, cpu_ns);
}

static void assert_end(struct timeline_cursor *cursor)
{
    struct timeline_piece piece;

    assert_false(timeline_next(cursor, &piece));
}

TEST_OF(a_piece_lasts_until_the_sample_that_found_otherwise, scene, scene)
{
    struct timeline_cursor cursor;

    begin(scene);
    scene_sample(scene, 8, 10, 'R', 0, "start worker f");
    scene_sample(scene, 8, 20, 'R', 9, "start worker f");
    scene_sample(scene, 8, 30, 'S', 2, "start worker futex");
    scene_repeat(scene, 8, 40);
    scene_end(scene, 8, 45);
    scene_sample(scene, SCENE_PID, 60, 'R', 0, "main");
    cursor = finish(scene);
    assert_piece(&cursor, 10, 20, TIMELINE_RUNNING, 9);
    assert_piece(&cursor, 20, 30, TIMELINE_RUNNING, 2); /* it ran, then it blocked */
    assert_piece(&cursor, 30, 40, TIMELINE_BLOCKED, 0);
    assert_piece(&cursor, 40, 45, TIMELINE_BLOCKED, 0);
    assert_end(&cursor);
}

/* Of a thread that was made during the capture the first sample tells what it used up to there. */
TEST_OF(time_before_the_first_sample_has_its_cpu_time, scene, scene)
{
    struct timeline_cursor cursor;

    scene_sample(scene, SCENE_PID, 1, 'R', 0, "main");
    scene_thread(scene, 8, "worker", 4);
    scene_sample(scene, 8, 10, 'R', 5, "start worker f");
    scene_sample(scene, 8, 20, 'R', 9, "start worker f");
    cursor = finish(scene);
    assert_piece(&cursor, 4, 10, TIMELINE_UNKNOWN, 5);
    assert_piece(&cursor, 10, 20, TIMELINE_RUNNING, 9);
    assert_end(&cursor);
}

TEST_OF(a_runnable_thread_that_used_less_than_half_was_ready, scene, scene)
{
    struct timeline_cursor cursor;

    begin(scene);
    add_idle(scene);
    scene_sample(scene, 8, 10, 'R', 0, "start worker f");
    scene_sample(scene, 8, 20, 'R', 4, "start worker g");
    scene_sample(scene, 8, 30, 'R', 5, "start worker f");
    scene_sample(scene, 8, 40, 'S', 0, "start worker futex");
    cursor = finish(scene);
    assert_piece(&cursor, 10, 20, TIMELINE_READY, 4);
    assert_piece(&cursor, 20, 30, TIMELINE_RUNNING, 5);
    assert_piece(&cursor, 30, 40, TIMELINE_RUNNING, 0); /* how long it was runnable nobody saw */
    assert_end(&cursor);
}

TEST_OF(a_blocked_thread_that_used_more_than_half_ran, scene, scene)
{
    struct timeline_cursor cursor;
    struct timeline_piece piece;

    begin(scene);
    scene_sample(scene, 8, 10, 'S', 0, "start worker futex");
    scene_wait(scene, WAIT_MUTEX, "lock", 0);
    scene_repeat(scene, 8, 20);
    scene_sample(scene, 8, 30, 'S', 6, "start worker futex");
    scene_sample(scene, 8, 40, 'S', 5, "start worker futex");
    cursor = finish(scene);
    /* The sample after the repeat is another wait; the span was changed by hand before. */
    scene->history.threads[1].spans[0].wait = 0;
    assert_piece(&cursor, 10, 20, TIMELINE_LOCK, 0);
    assert_true(timeline_next(&cursor, &piece));
    assert_int_equal(piece.end_ns, 30);
    assert_int_equal(piece.state, TIMELINE_RUNNING);
    assert_int_equal(piece.function, TIMELINE_NO_FUNCTION);
    assert_int_equal(piece.wait, WAIT_NONE);
    assert_piece(&cursor, 30, 40, TIMELINE_BLOCKED, 5);
    assert_end(&cursor);
}

TEST_OF(what_nobody_looked_at_is_not_known, scene, scene)
{
    struct timeline_cursor cursor;

    begin(scene);
    scene_sample(scene, SCENE_PID, 2, 'R', 0, "main");
    scene_sample(scene, 8, 10, 'R', 0, "start worker f");
    scene_sample(scene, 8, 99, 'R', 8, "start worker f");
    scene_sample(scene, 8, 109, 'S', 8, "start worker futex");
    scene_sample(scene, 8, 200, 'R', 8, "start worker f");
    scene_sample(scene, 8, 210, 'R', 1, "start worker f");
    cursor = finish(scene);
    assert_piece(&cursor, 2, 10, TIMELINE_UNKNOWN, 0); /* before its first sample */
    assert_piece(&cursor, 10, 20, TIMELINE_RUNNING, 8);
    assert_piece(&cursor, 20, 99, TIMELINE_UNKNOWN, 0);
    assert_piece(&cursor, 99, 109, TIMELINE_RUNNING, 8);
    assert_piece(&cursor, 109, 119, TIMELINE_BLOCKED, 8);
    assert_piece(&cursor, 119, 200, TIMELINE_UNKNOWN, 0);
    assert_piece(&cursor, 200, 210, TIMELINE_RUNNING, 1); /* it may have slept */
    assert_end(&cursor);
}

/* As with --on-cpu: a repeat there is of a thread that was slow to stop. */
TEST_OF(where_idle_threads_are_not_looked_at_nothing_is_ready, scene, scene)
{
    struct timeline_cursor cursor;

    begin(scene);
    for (uint64_t t = 10; t <= 100; t += 10)
        scene_sample(scene, SCENE_PID, t, 'S', 0, "main futex");
    scene_repeat(scene, SCENE_PID, 110);
    scene_sample(scene, 8, 10, 'R', 0, "start worker f");
    scene_sample(scene, 8, 20, 'R', 4, "start worker g");
    cursor = finish(scene);
    assert_piece(&cursor, 10, 20, TIMELINE_RUNNING, 4);
    assert_end(&cursor);
}

TEST_OF(where_idle_threads_are_not_looked_at_one_without_a_cpu_wanted_it, scene, scene)
{
    struct timeline_cursor cursor;

    begin(scene);
    scene_sample(scene, 8, 10, 'R', 0, "start worker f");
    scene_sample(scene, 8, 20, 'R', 4, "start worker g");
    scene_sample(scene, 8, 30, SNAP_STATE_READY, 1, "start worker f");
    cursor = finish(scene);
    assert_piece(&cursor, 10, 20, TIMELINE_RUNNING, 4);
    assert_piece(&cursor, 20, 30, TIMELINE_READY, 1);
    assert_end(&cursor);
}

/* A thread is sampled when it gets a CPU; a repeat says that it has not run since. */
TEST_OF(what_can_be_told_of_long_gaps_is_known, scene, scene)
{
    struct timeline_cursor cursor;

    begin(scene);
    scene_sample(scene, 8, 10, 'R', 0, "start worker f");
    scene_sample(scene, 8, 110, 'R', 2, "start worker g");
    scene_sample(scene, 8, 120, 'S', 8, "start worker futex");
    scene_repeat(scene, 8, 220);
    cursor = finish(scene);
    assert_piece(&cursor, 10, 110, TIMELINE_READY, 2);
    assert_piece(&cursor, 110, 120, TIMELINE_RUNNING, 8);
    assert_piece(&cursor, 120, 220, TIMELINE_BLOCKED, 0);
    assert_end(&cursor);
}

TEST_OF(samples_of_what_ran_alone_say_that_it_ran, scene, scene)
{
    struct timeline_cursor cursor;

    begin(scene);
    scene_sample(scene, 8, 10, 'R', 0, "start worker f");
    scene_sample(scene, 8, 20, 'R', 0, "start worker g");
    scene_sample(scene, 8, 30, 'R', 0, "start worker f");
    scene_sample(scene, 8, 200, 'R', 0, "start worker g");
    scene_finish_as(scene, 0, true);
    assert_int_equal(scene->timeline->period_ns, 10);
    cursor = walk(scene);
    assert_piece(&cursor, 10, 20, TIMELINE_RUNNING, 10);
    assert_piece(&cursor, 20, 30, TIMELINE_RUNNING, 10);
    assert_piece(&cursor, 30, 40, TIMELINE_RUNNING, 10);
    assert_piece(&cursor, 40, 200, TIMELINE_UNKNOWN, 0);
    assert_end(&cursor);
}

TEST_OF(times_that_go_back_do_not_overlap, scene, scene)
{
    struct timeline_cursor cursor;
    struct timeline_piece piece;
    uint64_t at_ns = 0;

    begin(scene);
    scene_sample(scene, 8, 50, 'R', UINT64_MAX, "start worker f");
    scene_sample(scene, 8, 20, 'S', UINT64_MAX, "start worker futex");
    scene_sample(scene, 8, 40, 'R', UINT64_MAX, "start worker f");
    scene_sample(scene, 8, UINT64_MAX, 'R', 5, "start worker f");
    cursor = finish(scene);
    while (timeline_next(&cursor, &piece)) {
        assert_true(piece.start_ns >= at_ns && piece.end_ns > piece.start_ns);
        assert_true(piece.cpu_ns <= piece.end_ns - piece.start_ns);
        at_ns = piece.end_ns;
    }
    assert_int_equal(at_ns, UINT64_MAX);
}

TEST_OF(neighbours_that_are_the_same_are_one, scene, scene)
{
    struct timeline_cursor cursor;
    struct timeline_piece piece;
    size_t states = 0, functions = 0, chains = 0;

    begin(scene);
    scene_sample(scene, 8, 10, 'R', 0, "start worker f");
    scene_sample(scene, 8, 20, 'R', 10, "start worker f/20"); /* another place in f */
    scene_sample(scene, 8, 30, 'R', 10, "start worker g");
    scene_sample(scene, 8, 40, 'S', 10, "start worker futex");
    scene_sample(scene, 8, 50, 'S', 0, "start worker futex");
    scene_finish(scene, 10);
    for (cursor = walk(scene); timeline_next_state(&cursor, &piece); states++)
        if (states == 0)
            assert_int_equal(piece.end_ns, 40);
    for (cursor = walk(scene); timeline_next_function(&cursor, &piece); functions++)
        if (functions == 0)
            assert_int_equal(piece.cpu_ns, 20);
    for (cursor = walk(scene); timeline_next_chain(&cursor, &piece);)
        chains++;
    assert_int_equal(states, 2);
    assert_int_equal(functions, 3);
    assert_int_equal(chains, 4);
}

/* It was woken between 20 and 40; a repeat says that it was not before it. */
TEST_OF(waits_between_which_a_thread_ran_are_told_apart, scene, scene)
{
    struct timeline_cursor cursor;
    struct timeline_piece piece;
    struct history_thread *thread;
    size_t functions = 0, stretches = 0;

    begin(scene);
    scene_sample(scene, 8, 10, 'S', 0, "start worker futex");
    scene_repeat(scene, 8, 20);
    scene_wait(scene, WAIT_MUTEX, "g_lock", 0);
    scene_sample(scene, 8, 40, 'S', 0, "start worker futex");
    scene_repeat(scene, 8, 50);
    thread = &scene->history.threads[1];
    thread->spans[1].wait = thread->spans[0].wait;
    scene_sample(scene, 8, 60, 'R', 0, "start worker f");
    scene_finish(scene, 10);
    for (cursor = walk(scene); timeline_next_function(&cursor, &piece);)
        functions++;
    for (cursor = walk(scene); timeline_next_stretch(&cursor, &piece); stretches++) {
        assert_int_equal(piece.start_ns, stretches ? 40 : 10);
        assert_int_equal(piece.end_ns, stretches ? 60 : 40);
        assert_false(piece.goes_on);
    }
    assert_int_equal(functions, 1);
    assert_int_equal(stretches, 2);
    cursor = walk(scene);
    for (size_t i = 0; timeline_next(&cursor, &piece); i++)
        assert_int_equal(piece.goes_on, piece.start_ns != 10 && piece.start_ns != 40);
}

/* What was used until it was found otherwise is no waiting; nor is what it mostly ran in. */
TEST_OF(a_thread_waits_less_what_it_runs, scene, scene)
{
    uint64_t ns[TIMELINE_STATE_COUNT] = {0};
    struct timeline_piece piece;
    struct timeline_cursor cursor;

    begin(scene);
    scene_sample(scene, 8, 10, 'S', 0, "start worker futex");
    scene_wait(scene, WAIT_MUTEX, "g_lock", 0);
    scene_sample(scene, 8, 20, 'R', 3, "start worker f");
    scene_sample(scene, 8, 30, 'S', 10, "start worker futex");
    scene_wait(scene, WAIT_MUTEX, "g_lock", 0);
    scene_sample(scene, 8, 40, 'R', 8, "start worker f");
    scene_sample(scene, 8, 50, 'S', 10, "start worker futex");
    scene_wait(scene, WAIT_MUTEX, "g_lock", 0);
    scene_finish(scene, 10);
    piece = timeline_waited(scene->timeline, history_find(&scene->history, 8), 0);
    assert_int_equal(piece.end_ns - piece.start_ns, 10);
    assert_int_equal(timeline_waited_ns(&piece), 7);
    for (size_t span = 2; span <= 4; span += 2) { /* it ran after that; it was seen last */
        piece = timeline_waited(scene->timeline, history_find(&scene->history, 8), span);
        assert_int_equal(piece.start_ns, 10 + 10 * span);
        assert_int_equal(piece.end_ns, piece.start_ns);
        assert_int_equal(piece.state, TIMELINE_LOCK);
    }
    for (cursor = walk(scene); timeline_next(&cursor, &piece);)
        timeline_add_states(&piece, ns);
    assert_int_equal(ns[TIMELINE_LOCK], 7);
    assert_int_equal(ns[TIMELINE_RUNNING], 3 + 10 + 8 + 10);
}

TEST_OF(kinds_of_waits_are_states, scene, scene)
{
    static const enum timeline_state want[WAIT_KIND_COUNT] = {
        [WAIT_MUTEX] = TIMELINE_LOCK,        [WAIT_RWLOCK_READ] = TIMELINE_LOCK,
        [WAIT_RWLOCK_WRITE] = TIMELINE_LOCK, [WAIT_CONDITION] = TIMELINE_THREADS,
        [WAIT_SEMAPHORE] = TIMELINE_THREADS, [WAIT_BARRIER] = TIMELINE_THREADS,
        [WAIT_JOIN] = TIMELINE_THREADS,      [WAIT_ONCE] = TIMELINE_LOCK,
        [WAIT_FUTEX] = TIMELINE_THREADS,     [WAIT_READ] = TIMELINE_IO,
        [WAIT_WRITE] = TIMELINE_IO,          [WAIT_POLL] = TIMELINE_IO,
        [WAIT_ACCEPT] = TIMELINE_IO,         [WAIT_CONNECT] = TIMELINE_IO,
        [WAIT_FILE_LOCK] = TIMELINE_LOCK,    [WAIT_SLEEP] = TIMELINE_SLEEPING,
        [WAIT_CHILD] = TIMELINE_THREADS,     [WAIT_SIGNAL] = TIMELINE_THREADS,
        [WAIT_OTHER] = TIMELINE_BLOCKED,     [WAIT_UNKNOWN] = TIMELINE_BLOCKED,
        [WAIT_RECEIVE] = TIMELINE_THREADS,   [WAIT_SEND] = TIMELINE_THREADS,
        [WAIT_EVENT] = TIMELINE_THREADS,
    };
    const uint64_t end_ns = 10 * (WAIT_KIND_COUNT + 1);
    struct timeline_cursor cursor;

    begin(scene);
    for (unsigned i = 0; i < WAIT_KIND_COUNT; i++) {
        scene_sample(scene, 8, 10 * (i + 1), 'S', 0, "start worker futex");
        scene_wait(scene, (enum wait_kind)i, NULL, 0);
    }
    scene_sample(scene, 8, end_ns, 'D', 0, "start worker futex");
    scene_sample(scene, 8, end_ns + 10, 'T', 0, "start worker futex");
    scene_sample(scene, 8, end_ns + 20, 'Z', 0, "start worker futex");
    scene_sample(scene, 8, end_ns + 30, 'R', 0, "start worker futex");
    cursor = finish(scene);
    for (unsigned i = 0; i < WAIT_KIND_COUNT; i++)
        assert_piece(&cursor, 10 * (i + 1), 10 * (i + 2), want[i], 0);
    assert_piece(&cursor, end_ns, end_ns + 10, TIMELINE_IO, 0);
    assert_piece(&cursor, end_ns + 10, end_ns + 20, TIMELINE_STOPPED, 0);
    assert_piece(&cursor, end_ns + 20, end_ns + 30, TIMELINE_UNKNOWN, 0);
    assert_end(&cursor);
}

static void assert_function(const struct timeline *timeline, uint32_t chain, const char *want)
{
    char *text = timeline_function_text(timeline, timeline->functions[chain]);

    assert_string_equal(text, want);
    free(text);
}

TEST_OF(the_top_function_is_the_users, scene, scene)
{
    static const struct {
        const char *chain, *function;
    } cases[] = {
        {"start worker f futex nameless", "f"},
        {"start worker g/900", "inlined_into_g"},
        {"start worker cxx/900 futex", "worker"},
        {"start worker lib@4000 futex", "libx.so+0x4000"}, /* not the C library's */
        {"start worker @99 futex", "worker"},              /* whose that is nobody knows */
        {"start futex nameless", "futex_wait"},            /* none of the user's: has a name */
        {"nameless", "libc.so.6+0x3000"},
        {"", ""},
    };

    begin(scene);
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        scene_sample(scene, 8, 10 * (i + 1), 'R', 0, cases[i].chain);
    scene_finish(scene, 10);
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_function(scene->timeline, i, cases[i].function);
}

/* Threads 9 and 11 of one kind, made by main; 10 by 9. */
TEST_OF(rows_are_in_the_order_of_the_hierarchy, scene, scene)
{
    static const uint32_t want[][2] = {{SCENE_PID, 0}, {9, 1}, {11, 1}, {10, 2}};
    static const uint32_t makers[][2] = {{SCENE_PID, 9}, {9, 10}, {SCENE_PID, 11}};

    scene_sample(scene, SCENE_PID, 1, 'R', 0, "main");
    for (unsigned i = 0; i < 3; i++) {
        struct chain chain = fixture_chain(&scene->graph, i == 1 ? "start worker f" : "main g");
        const struct snap_creation creation = {.maker = {.pid = SCENE_PID,
                                                         .tid = makers[i][0],
                                                         .time_ns = 1},
                                               .new_pid = SCENE_PID,
                                               .new_tid = makers[i][1]};
        struct ingest_creation given = {.creation = &creation, .chain = &chain};

        scene_thread(scene, makers[i][1], "t", 1);
        assert_int_equal(profile_chain(scene->graph.profile, &chain, NULL, &given.chain_id),
                         STATUS_OK);
        assert_int_equal(history_creation(&scene->history, &given), STATUS_OK);
        scene_sample(scene, makers[i][1], 2, 'R', 0, i == 1 ? "start f g" : "start worker");
        chain_deinit(&chain);
    }
    scene_thread(scene, 12, "never sampled", 1);
    scene_finish(scene, 10);
    assert_int_equal(scene->timeline->row_count, 4);
    for (unsigned i = 0; i < 4; i++) {
        const struct timeline_row *row = &scene->timeline->rows[i];

        assert_int_equal(scene->history.threads[row->thread].tid, want[i][0]);
        assert_int_equal(row->depth, want[i][1]);
    }
    assert_int_equal(scene->timeline->rows[1].node, scene->timeline->rows[2].node);
}

TEST_OF(texts_say_who_and_what_for, scene, scene)
{
    struct timeline_cursor cursor;
    struct timeline_piece piece;
    char *text, want[100];

    begin(scene);
    scene_sample(scene, 8, 10, 'S', 0, "start worker futex");
    scene_wait(scene, WAIT_MUTEX, "g_lock", SCENE_PID);
    scene_sample(scene, 8, 20, 'S', 0, "start worker futex");
    scene_wait(scene, WAIT_READ, "socket:[1]", 0);
    scene_sample(scene, 8, 30, 'S', 0, "start worker futex");
    scene_wait(scene, WAIT_SLEEP, NULL, 0);
    scene_sample(scene, 8, 40, 'S', 0, "start worker futex");
    scene_wait(scene, WAIT_JOIN, "thread x (9)", 9);
    scene_sample(scene, 8, 50, 'S', 0, "start worker futex");
    scene_wait(scene, WAIT_RWLOCK_READ, "lock", SCENE_PID);
    scene->wait_list[4].owner_evidence = WAIT_INFERRED;
    scene_sample(scene, 8, 60, 'R', 0, "start worker futex");
    scene_sample(scene, 8, 70, 'R', 10, "start worker f");
    scene_thread(scene, 8, "pool\n3", 80);
    cursor = finish(scene);
    for (unsigned i = 0; i < 6; i++) {
        static const char *const wants[] = {
            "%s g_lock, held by prog (7)",        "%s socket:[1]", "%s", "%s thread x (9)",
            "%s lock, probably held by prog (7)", "running"};

        assert_true(timeline_next(&cursor, &piece));
        snprintf(want, sizeof(want), wants[i],
                 i < 5 ? wait_kind_name(scene->wait_list[i].kind) : "");
        text = timeline_wait_text(scene->timeline, &piece);
        assert_string_equal(text, want);
        free(text);
    }
    text = timeline_thread_text(scene->timeline, 1);
    assert_string_equal(text, "\"pool?3\" worker (8)");
    free(text);
}

TEST_OF(a_part_begins_where_it_was_asked_to, scene, scene)
{
    struct timeline_cursor cursor;

    begin(scene);
    scene->history.window.from_ns = 500;
    assert_int_equal(history_begin(&scene->history, 1000), STATUS_OK);
    scene_sample(scene, 8, 1510, 'R', 6, "start worker f");
    scene_sample(scene, 8, 1520, 'R', 9, "start worker f");
    scene_finish(scene, 10);
    assert_int_equal(scene->timeline->zero_ns, 1000);
    assert_int_equal(scene->timeline->start_ns, 1500);
    cursor = walk(scene);
    assert_piece(&cursor, 1500, 1510, TIMELINE_UNKNOWN, 6);
    assert_piece(&cursor, 1510, 1520, TIMELINE_RUNNING, 9);
    assert_end(&cursor);
}
