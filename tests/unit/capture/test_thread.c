/* SPDX-License-Identifier: MIT */
/* The phases of a captured thread, and the numbers of asked threads that go with them. */
#include "unit_test.h"
#include "capture/session.h"

/* A capture of one process with one thread. */
struct world {
    struct capture cap;
    struct process process;
    struct thread thread;
};

static void begin(struct world *world, enum thread_phase phase)
{
    *world = (struct world){.process.target.live = 1, .thread.phase = phase};
    world->thread.process = &world->process;
}

TEST(thread_left_and_due_is_attached_to_asked_and_answered)
{
    struct world world;

    begin(&world, THREAD_LEFT);
    thread_choose(&world.thread);
    assert_int_equal(world.thread.phase, THREAD_LEFT_DUE);
    thread_attached(&world.thread);
    assert_int_equal(world.thread.phase, THREAD_DUE);
    thread_asked(&world.cap, &world.thread);
    assert_true(thread_is_asked(&world.thread));
    assert_int_equal(world.cap.asked, 1);
    assert_int_equal(world.cap.awaited, 1);
    thread_answered(&world.cap, &world.thread);
    assert_int_equal(world.thread.phase, THREAD_RUNS);
    assert_int_equal(world.cap.asked, 0);
    assert_int_equal(world.cap.awaited, 0);
}

TEST(thread_left_in_another_stop_stays_due)
{
    struct world world;

    begin(&world, THREAD_DUE);
    thread_left(&world.thread);
    assert_int_equal(world.thread.phase, THREAD_LEFT_DUE);
    thread_left(&world.thread);
    assert_int_equal(world.thread.phase, THREAD_LEFT);
}

TEST(thread_that_missed_rounds_is_awaited_no_more_and_takes_them_with_it)
{
    struct world world;

    begin(&world, THREAD_DUE);
    thread_asked(&world.cap, &world.thread);
    world.cap.awaited = 0; /* a further round */
    world.thread.rounds_missed = 2;
    thread_ended(&world.cap, &world.thread);
    assert_int_equal(world.thread.rounds_lost, 3);
    assert_int_equal(world.cap.asked, 0);
    assert_int_equal(world.cap.awaited, 0);
    assert_int_equal(world.process.target.live, 0);
    assert_true(world.cap.dirty);
}

TEST(thread_held_that_ends_loses_its_sample_and_one_answered_does_not)
{
    struct world world;

    begin(&world, THREAD_DUE);
    thread_asked(&world.cap, &world.thread);
    world.thread.phase = THREAD_HELD;
    thread_ended(&world.cap, &world.thread);
    assert_int_equal(world.thread.rounds_lost, 1);
    begin(&world, THREAD_RUNS);
    thread_ended(&world.cap, &world.thread);
    assert_int_equal(world.thread.rounds_lost, 0);
}

TEST(thread_replaced_by_an_exec_ends_once_and_not_after_its_end_was_written)
{
    struct world world;

    begin(&world, THREAD_ASKED);
    world.cap.asked = 1;
    thread_replaced(&world.cap, &world.thread);
    thread_replaced(&world.cap, &world.thread);
    assert_int_equal(world.thread.phase, THREAD_REPLACED);
    assert_int_equal(world.process.target.live, 0);
    world.thread.phase = THREAD_END_WRITTEN;
    thread_replaced(&world.cap, &world.thread);
    assert_int_equal(world.thread.phase, THREAD_END_WRITTEN);
}
