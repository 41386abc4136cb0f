/* SPDX-License-Identifier: MIT */
#include "waiter_fixture.h"

/* From `start` on `owner` waits for `to`, while `other` finds that it holds `from`. */
static void add_order(struct waiter *f, uint32_t owner, uint32_t other, uint32_t from, uint32_t to,
                      uint64_t start)
{
    waiter_waits(f, owner, start, start + 100, to, 0);
    waiter_waits(f, other, start + 10, start + 50, from, f->history.threads[owner].tid);
    waiter_runs(f, other, start + 50, start + 100);
    waiter_runs(f, owner, start + 100, start + 100);
}

static void add_locks(struct waiter *f, uint32_t *locks, size_t count, uint32_t threads)
{
    for (size_t i = 0; i < count; i++)
        locks[i] = waiter_object(f, WAIT_MUTEX, "lock");
    for (uint32_t i = 0; i < threads; i++)
        waiter_thread(f, 10 + i, "t");
}

static struct span *span_of(struct waiter *f, uint32_t thread, size_t number)
{
    return &f->history.threads[thread].spans[number];
}

TEST_OF(orders_of_two_threads_that_contradict_are_a_circle, waiter, f)
{
    uint32_t locks[2];

    add_locks(f, locks, 2, 3);
    add_order(f, 0, 2, locks[0], locks[1], 100);
    add_order(f, 1, 2, locks[1], locks[0], 300);
    waiter_make(f);
    assert_int_equal(f->orders->count, 2);
    assert_int_equal(f->orders->circle_count, 1);
    assert_int_equal(f->orders->circles[0].count, 2);
    assert_int_not_equal(f->orders->list[f->orders->steps[0]].thread,
                         f->orders->list[f->orders->steps[1]].thread);
}

TEST_OF(orders_that_agree_are_none, waiter, f)
{
    uint32_t locks[2];

    add_locks(f, locks, 2, 3);
    add_order(f, 0, 2, locks[0], locks[1], 100);
    add_order(f, 1, 2, locks[0], locks[1], 300);
    waiter_make(f);
    assert_int_equal(f->orders->count, 2);
    assert_int_equal(f->orders->circle_count, 0);
}

/* It cannot meet itself. */
TEST_OF(orders_of_one_thread_alone_are_none, waiter, f)
{
    uint32_t locks[2];

    add_locks(f, locks, 2, 4);
    add_order(f, 0, 2, locks[0], locks[1], 100);
    add_order(f, 0, 2, locks[1], locks[0], 300);
    waiter_make(f);
    assert_int_equal(f->orders->count, 2);
    assert_int_equal(f->orders->circle_count, 0);
    add_order(f, 1, 3, locks[0], locks[1], 500); /* now another may come in between */
    waiter_make(f);
    assert_int_equal(f->orders->circle_count, 1);
}

/* It may have let go of the one before it waited for the other. */
TEST_OF(order_is_not_seen_where_the_owner_was_not_blocked_when_it_was_read, waiter, f)
{
    uint32_t locks[2];

    add_locks(f, locks, 2, 3);
    add_order(f, 0, 2, locks[0], locks[1], 100);
    waiter_make(f);
    assert_int_equal(f->orders->count, 1);
    span_of(f, 2, 0)->read_ns = 100;
    waiter_make(f);
    assert_int_equal(f->orders->count, 0);
    span_of(f, 2, 0)->read_ns = 150;
    span_of(f, 0, 0)->seen_ns = 149;
    waiter_make(f);
    assert_int_equal(f->orders->count, 0);
    span_of(f, 0, 0)->seen_ns = 150;
    waiter_make(f);
    assert_int_equal(f->orders->count, 1);
    span_of(f, 0, 0)->samples = 1;
    waiter_make(f);
    assert_int_equal(f->orders->count, 0);
}

TEST_OF(orders_of_three_make_a_circle_without_a_pair, waiter, f)
{
    uint32_t locks[3];

    add_locks(f, locks, 3, 4);
    for (uint32_t i = 0; i < 3; i++)
        add_order(f, i, 3, locks[i], locks[(i + 1) % 3], 100 + i * 200);
    waiter_make(f);
    assert_int_equal(f->orders->circle_count, 1);
    assert_int_equal(f->orders->circles[0].count, 3);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(f->orders->list[f->orders->steps[i]].to,
                         f->orders->list[f->orders->steps[(i + 1) % 3]].from);
}

TEST_OF(orders_of_a_deadlock_are_told_there, waiter, f)
{
    uint32_t locks[2];

    add_locks(f, locks, 2, 2);
    waiter_waits(f, 0, 100, 300, locks[1], 11);
    waiter_waits(f, 1, 100, 300, locks[0], 10);
    waiter_make(f);
    assert_int_equal(f->deadlocks->count, 1);
    assert_int_equal(f->orders->count, 0);
}

TEST_OF(order_to_wait_for_a_condition_is_none, waiter, f)
{
    uint32_t locks[1], condition;

    add_locks(f, locks, 1, 3);
    condition = waiter_object(f, WAIT_CONDITION, "g_condition");
    add_order(f, 0, 2, locks[0], condition, 100);
    waiter_make(f);
    assert_int_equal(f->orders->count, 0);
}

TEST_OF(orders_of_many_locks_are_bounded, waiter, f)
{
    uint32_t *locks = calloc(400, sizeof(*locks));

    add_locks(f, locks, 400, 3);
    for (uint32_t i = 0; i < 200; i++) {
        add_order(f, 0, 2, locks[i], locks[399 - i], 1000 + i * 1000);
        add_order(f, 1, 2, locks[399 - i], locks[i], 1500 + i * 1000);
    }
    waiter_make(f);
    assert_int_equal(f->orders->count, 400);
    assert_int_equal(f->orders->circle_count, LOCK_ORDER_CIRCLES_MAX);
    free(locks);
}
