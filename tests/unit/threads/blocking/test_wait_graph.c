/* SPDX-License-Identifier: MIT */
#include "waiter_fixture.h"

TEST_OF(graph_sums_up_who_waited_for_an_object, waiter, f)
{
    const struct wait_edge *edge;
    uint32_t lock;

    waiter_thread(f, 11, "a");
    waiter_thread(f, 12, "b");
    lock = waiter_object(f, WAIT_MUTEX, "g_lock");
    waiter_waits(f, 0, 100, 130, lock, 12);
    waiter_runs(f, 0, 130, 200);
    waiter_waits(f, 0, 200, 250, lock, 12)->chain = waiter_chain(f, "start main f/8 lock");
    waiter_waits(f, 1, 400, 410, lock, 0);
    waiter_runs(f, 1, 410, 500);
    waiter_make(f);
    assert_int_equal(f->made->node_count, 1);
    assert_int_equal(f->made->nodes[0].wait_ns, 90);
    assert_int_equal(f->made->nodes[0].wait_count, 2);
    assert_int_equal(f->made->nodes[0].waiters_max, 1);
    assert_int_equal(f->made->nodes[0].waiters_end, 1);
    edge = &f->made->waits[0];
    assert_int_equal(edge->thread, 0);
    assert_int_equal(edge->count, 2);
    assert_int_equal(edge->wait_ns, 80);
    assert_int_equal(edge->longest_ns, 50);
    assert_int_equal(edge->chain, waiter_chain(f, "start main f/8 lock"));
    assert_int_equal(edge->chain_ns, 50);
    assert_true(edge->at_end);
    assert_false(f->made->waits[1].at_end);
}

TEST_OF(graph_objects_come_by_the_time_lost, waiter, f)
{
    uint32_t one, two;

    waiter_thread(f, 11, "a");
    one = waiter_object(f, WAIT_MUTEX, "g_one");
    two = waiter_object(f, WAIT_MUTEX, "g_two");
    waiter_waits(f, 0, 100, 110, one, 0);
    waiter_waits(f, 0, 110, 150, two, 0);
    waiter_make(f);
    assert_int_equal(f->made->nodes[0].object, two);
    assert_int_equal(f->made->nodes[1].object, one);
    assert_int_equal(wait_graph_node(f->made, 0, one), 1);
    assert_int_equal(wait_graph_node(f->made, 0, two), 0);
    assert_int_equal(wait_graph_node(f->made, 1, two), WAIT_GRAPH_NONE);
}

TEST_OF(graph_counts_who_waits_at_once, waiter, f)
{
    uint32_t lock, moment;

    lock = waiter_object(f, WAIT_MUTEX, "g_lock");
    moment = waiter_object(f, WAIT_MUTEX, "g_moment");
    for (uint32_t i = 0; i < 5; i++) {
        waiter_thread(f, 11 + i, "t");
        waiter_waits(f, i, 100 + i * 10, 125 + i * 10, lock, 0); /* three at 120, 130, 140 */
        waiter_waits(f, i, 300, 300, moment, 0);
    }
    waiter_make(f);
    assert_int_equal(f->made->nodes[0].waiters_max, 3);
    assert_int_equal(f->made->nodes[1].waiters_max, 5);
}

/* Two that wait at once see it held once; in between nobody knows. */
TEST_OF(graph_time_held_is_while_somebody_waits, waiter, f)
{
    const struct hold_edge *hold;
    uint32_t lock, at_work;

    lock = waiter_object(f, WAIT_MUTEX, "g_lock");
    for (uint32_t i = 0; i < 3; i++)
        waiter_thread(f, 11 + i, "t");
    at_work = waiter_runs(f, 2, 50, 400)->chain;
    waiter_waits(f, 0, 100, 200, lock, 13);
    waiter_waits(f, 1, 150, 250, lock, 13);
    waiter_waits(f, 0, 300, 310, lock, 13);
    waiter_make(f);
    assert_int_equal(f->made->hold_count, 1);
    hold = &f->made->holds[0];
    assert_int_equal(hold->thread, 2);
    assert_int_equal(hold->held_ns, 160);
    assert_false(hold->inferred);
    assert_int_equal(hold->chain, at_work);
    assert_int_equal(hold->take_chain, HISTORY_NONE);
}

/* What one waiter has read is out of date as soon as another reads something else. */
TEST_OF(graph_object_is_held_by_one_at_a_time, waiter, f)
{
    uint64_t held[2] = {0};
    uint32_t lock;

    lock = waiter_object(f, WAIT_MUTEX, "g_lock");
    for (uint32_t i = 0; i < 4; i++)
        waiter_thread(f, 11 + i, "t");
    /* 13 is read at 100 and 180, 14 at 150, at 200 that nobody has it */
    waiter_waits(f, 0, 100, 250, lock, 13)->read_ns = 180;
    waiter_waits(f, 1, 150, 300, lock, 14)->read_ns = 150;
    waiter_waits(f, 1, 300, 310, lock, 0)->read_ns = 0; /* not read */
    waiter_waits(f, 2, 200, 290, lock, 0)->read_ns = 200;
    waiter_make(f);
    assert_int_equal(f->made->hold_count, 2);
    for (size_t i = 0; i < 2; i++)
        held[f->made->holds[i].thread - 2] = f->made->holds[i].held_ns;
    assert_int_equal(held[0], 50 + 20);
    assert_int_equal(held[1], 30);
    assert_ptr_equal(f->made->nodes[0].end_span, wait_graph_last(f->made, 2));
    assert_int_equal(f->made->nodes[0].end_owner, HISTORY_NONE);
    waiter_waits(f, 1, 310, 400, lock, 14)->read_ns = 310;
    waiter_make(f);
    assert_ptr_equal(f->made->nodes[0].end_span, wait_graph_last(f->made, 1));
    assert_int_equal(f->made->nodes[0].end_owner, 3);
}

/* Of one moment it is not known where its owner waited before. */
TEST_OF(graph_of_one_moment_does_not_tell_where_a_lock_was_taken, waiter, f)
{
    uint32_t lock;

    lock = waiter_object(f, WAIT_MUTEX, "g_lock");
    waiter_thread(f, 11, "a");
    waiter_waits(f, 0, 0, 0, lock, 11);
    waiter_make(f);
    assert_int_equal(f->made->hold_count, 1);
    assert_int_equal(f->made->holds[0].take_chain, HISTORY_NONE);
}

TEST_OF(graph_lock_was_taken_where_its_owner_last_waited_for_it, waiter, f)
{
    uint32_t lock, later;

    lock = waiter_object(f, WAIT_MUTEX, "g_lock");
    waiter_thread(f, 11, "a");
    waiter_thread(f, 12, "b");
    waiter_waits(f, 1, 50, 60, lock, 0)->chain = waiter_chain(f, "start main f/4 lock");
    waiter_waits(f, 1, 60, 90, lock, 0)->chain = waiter_chain(f, "start main f/8 lock");
    waiter_runs(f, 1, 90, 300);
    waiter_waits(f, 1, 300, 400, lock, 0)->chain = waiter_chain(f, "start main f/c lock");
    waiter_waits(f, 0, 100, 200, lock, 12);
    waiter_make(f);
    later = waiter_chain(f, "start main f/8 lock");
    assert_int_equal(f->made->holds[0].take_chain, later);
}

/* It was sampled first, and got the lock before the other was. */
TEST_OF(graph_owner_last_seen_waiting_took_it_there, waiter, f)
{
    uint32_t lock, took, does;

    lock = waiter_object(f, WAIT_MUTEX, "g_lock");
    waiter_thread(f, 11, "a");
    waiter_thread(f, 12, "b");
    took = waiter_waits(f, 1, 95, 105, lock, 0)->chain;
    does = waiter_runs(f, 1, 105, 300)->chain;
    waiter_waits(f, 0, 100, 200, lock, 12);
    waiter_make(f);
    assert_int_equal(f->made->holds[0].take_chain, took);
    assert_int_equal(f->made->holds[0].chain, does);
}

/* It slept when the wait began, and for most of it waited for something else. */
TEST_OF(graph_owner_does_what_it_did_for_most_of_the_wait, waiter, f)
{
    uint32_t lock, other, does;

    lock = waiter_object(f, WAIT_MUTEX, "g_lock");
    other = waiter_object(f, WAIT_MUTEX, "g_other");
    waiter_thread(f, 11, "a");
    waiter_thread(f, 12, "b");
    waiter_runs(f, 1, 50, 110);
    does = waiter_waits(f, 1, 110, 200, other, 0)->chain;
    waiter_waits(f, 1, 200, 900, lock, 0)->chain = waiter_chain(f, "start main f/c lock");
    waiter_waits(f, 0, 100, 300, lock, 12);
    waiter_make(f);
    assert_int_equal(f->made->holds[0].chain, does);
}

TEST_OF(graph_owner_that_is_inferred_every_time_is_marked, waiter, f)
{
    uint32_t lock;

    lock = waiter_object(f, WAIT_RWLOCK_READ, "g_table");
    waiter_thread(f, 11, "a");
    waiter_thread(f, 12, "b");
    waiter_waits(f, 0, 100, 200, lock, 12);
    f->waits.list[0].owner_evidence = WAIT_INFERRED;
    waiter_make(f);
    assert_true(f->made->holds[0].inferred);
}

/* A lock that goes from hand to hand while a thread waits: it has waited all the time. */
TEST_OF(graph_wait_lasts_while_the_lock_changes_hands, waiter, f)
{
    uint32_t lock;

    lock = waiter_object(f, WAIT_MUTEX, "g_lock");
    waiter_thread(f, 11, "a");
    waiter_waits(f, 0, 50, 100, lock, 12);
    waiter_waits(f, 0, 100, 200, lock, 12); /* it has run: the same wait anew */
    waiter_waits(f, 0, 200, 250, lock, 13)->goes_on = true;
    waiter_waits(f, 0, 250, 300, lock, 12)->goes_on = true;
    waiter_make(f);
    assert_int_equal(wait_graph_since(f->made, 0), 100);
    assert_int_equal(f->made->waits[0].count, 2);
    assert_int_equal(f->made->waits[0].longest_ns, 200);
    assert_int_equal(f->made->waits[0].wait_ns, 250);
}

/* It is found otherwise at 210 only, and had the lock before. */
TEST_OF(graph_new_owner_does_not_wait, waiter, f)
{
    uint32_t lock;

    lock = waiter_object(f, WAIT_MUTEX, "g_lock");
    waiter_thread(f, 11, "a");
    waiter_thread(f, 12, "b");
    waiter_waits(f, 0, 100, 210, lock, 12)->seen_ns = 150;
    waiter_runs(f, 0, 210, 300);
    waiter_waits(f, 1, 200, 300, lock, 11);
    waiter_make(f);
    assert_int_equal(f->made->nodes[0].waiters_max, 1);
}

/* Each wait was seen once: two at a time, which the samples' times do not show. */
TEST_OF(graph_short_waits_are_at_once_as_many_as_on_average, waiter, f)
{
    uint32_t lock;

    lock = waiter_object(f, WAIT_MUTEX, "g_lock");
    for (uint32_t i = 0; i < 2; i++) {
        waiter_thread(f, 11 + i, "t");
        for (uint64_t at = 0; at < 1000; at += 10)
            waiter_waits(f, i, at + i, at + i + 10, lock, 0)->seen_ns = at + i;
    }
    waiter_make(f);
    assert_int_equal(f->made->nodes[0].waiters_max, 2);
}

/* One round looks at one after another. */
TEST_OF(graph_one_look_is_one_moment, waiter, f)
{
    uint32_t lock;

    lock = waiter_object(f, WAIT_MUTEX, "g_lock");
    for (uint32_t i = 0; i < 5; i++) {
        waiter_thread(f, 11 + i, "t");
        waiter_waits(f, i, 10 + i * 10, 10 + i * 10, lock, 0);
    }
    waiter_make(f);
    assert_int_equal(f->made->nodes[0].waiters_max, 5);
}

/* As in a damaged file: there is no later time at which it could end. */
TEST_OF(graph_wait_at_the_last_of_all_times_is_one, waiter, f)
{
    uint32_t lock;

    lock = waiter_object(f, WAIT_MUTEX, "g_lock");
    waiter_thread(f, 11, "a");
    waiter_runs(f, 0, 0, 10);
    waiter_waits(f, 0, UINT64_MAX, UINT64_MAX, lock, 0);
    waiter_make(f);
    assert_int_equal(f->made->nodes[0].waiters_max, 1);
}

TEST_OF(graph_without_waits_is_empty, waiter, f)
{
    waiter_thread(f, 11, "a");
    waiter_make(f);
    assert_int_equal(f->made->node_count, 0);
    assert_null(wait_graph_last(f->made, 0));
    assert_int_equal(f->deadlocks->count, 0);
    assert_int_equal(f->deadlocks->standstill_count, 0);
    assert_int_equal(f->orders->circle_count, 0);
}
