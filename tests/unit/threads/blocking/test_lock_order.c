/* SPDX-License-Identifier: MIT */
#include "waiter_fixture.h"

/* From `start` on `owner` waits for `to`, while `other` finds that it holds `from`. */
static void add_order(struct waiter_fixture *f, uint32_t owner, uint32_t other, uint32_t from,
                      uint32_t to, uint64_t start)
{
    waiter_waits(f, owner, start, start + 100, to, 0);
    waiter_waits(f, other, start + 10, start + 50, from, f->history.threads[owner].tid);
    waiter_runs(f, other, start + 50, start + 100);
    waiter_runs(f, owner, start + 100, start + 100);
}

static void add_locks(struct waiter_fixture *f, uint32_t *locks, size_t count, uint32_t threads)
{
    waiter_init(f);
    for (size_t i = 0; i < count; i++)
        locks[i] = waiter_object(f, WAIT_MUTEX, "lock");
    for (uint32_t i = 0; i < threads; i++)
        waiter_thread(f, 10 + i, "t");
}

static struct span *span_of(struct waiter_fixture *f, uint32_t thread, size_t number)
{
    return &f->history.threads[thread].spans[number];
}

static void orders_of_two_threads_that_contradict_are_a_circle(void **state)
{
    struct waiter_fixture f;
    uint32_t locks[2];

    (void)state;
    add_locks(&f, locks, 2, 3);
    add_order(&f, 0, 2, locks[0], locks[1], 100);
    add_order(&f, 1, 2, locks[1], locks[0], 300);
    waiter_make(&f);
    assert_int_equal(f.orders->count, 2);
    assert_int_equal(f.orders->circle_count, 1);
    assert_int_equal(f.orders->circles[0].count, 2);
    assert_int_not_equal(f.orders->list[f.orders->steps[0]].thread,
                         f.orders->list[f.orders->steps[1]].thread);
    waiter_deinit(&f);
}

static void orders_that_agree_are_none(void **state)
{
    struct waiter_fixture f;
    uint32_t locks[2];

    (void)state;
    add_locks(&f, locks, 2, 3);
    add_order(&f, 0, 2, locks[0], locks[1], 100);
    add_order(&f, 1, 2, locks[0], locks[1], 300);
    waiter_make(&f);
    assert_int_equal(f.orders->count, 2);
    assert_int_equal(f.orders->circle_count, 0);
    waiter_deinit(&f);
}

/* It cannot meet itself. */
static void orders_of_one_thread_alone_are_none(void **state)
{
    struct waiter_fixture f;
    uint32_t locks[2];

    (void)state;
    add_locks(&f, locks, 2, 4);
    add_order(&f, 0, 2, locks[0], locks[1], 100);
    add_order(&f, 0, 2, locks[1], locks[0], 300);
    waiter_make(&f);
    assert_int_equal(f.orders->count, 2);
    assert_int_equal(f.orders->circle_count, 0);
    add_order(&f, 1, 3, locks[0], locks[1], 500); /* now another may come in between */
    waiter_make(&f);
    assert_int_equal(f.orders->circle_count, 1);
    waiter_deinit(&f);
}

/* It may have let go of the one before it waited for the other. */
static void order_is_not_seen_where_the_owner_was_not_blocked_when_it_was_read(void **state)
{
    struct waiter_fixture f;
    uint32_t locks[2];

    (void)state;
    add_locks(&f, locks, 2, 3);
    add_order(&f, 0, 2, locks[0], locks[1], 100);
    waiter_make(&f);
    assert_int_equal(f.orders->count, 1);
    span_of(&f, 2, 0)->read_ns = 100;
    waiter_make(&f);
    assert_int_equal(f.orders->count, 0);
    span_of(&f, 2, 0)->read_ns = 150;
    span_of(&f, 0, 0)->seen_ns = 149;
    waiter_make(&f);
    assert_int_equal(f.orders->count, 0);
    span_of(&f, 0, 0)->seen_ns = 150;
    waiter_make(&f);
    assert_int_equal(f.orders->count, 1);
    span_of(&f, 0, 0)->samples = 1;
    waiter_make(&f);
    assert_int_equal(f.orders->count, 0);
    waiter_deinit(&f);
}

static void orders_of_three_make_a_circle_without_a_pair(void **state)
{
    struct waiter_fixture f;
    uint32_t locks[3];

    (void)state;
    add_locks(&f, locks, 3, 4);
    for (uint32_t i = 0; i < 3; i++)
        add_order(&f, i, 3, locks[i], locks[(i + 1) % 3], 100 + i * 200);
    waiter_make(&f);
    assert_int_equal(f.orders->circle_count, 1);
    assert_int_equal(f.orders->circles[0].count, 3);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(f.orders->list[f.orders->steps[i]].to,
                         f.orders->list[f.orders->steps[(i + 1) % 3]].from);
    waiter_deinit(&f);
}

static void orders_of_a_deadlock_are_told_there(void **state)
{
    struct waiter_fixture f;
    uint32_t locks[2];

    (void)state;
    add_locks(&f, locks, 2, 2);
    waiter_waits(&f, 0, 100, 300, locks[1], 11);
    waiter_waits(&f, 1, 100, 300, locks[0], 10);
    waiter_make(&f);
    assert_int_equal(f.deadlocks->count, 1);
    assert_int_equal(f.orders->count, 0);
    waiter_deinit(&f);
}

static void order_to_wait_for_a_condition_is_none(void **state)
{
    struct waiter_fixture f;
    uint32_t locks[1], condition;

    (void)state;
    add_locks(&f, locks, 1, 3);
    condition = waiter_object(&f, WAIT_CONDITION, "g_condition");
    add_order(&f, 0, 2, locks[0], condition, 100);
    waiter_make(&f);
    assert_int_equal(f.orders->count, 0);
    waiter_deinit(&f);
}

static void orders_of_many_locks_are_bounded(void **state)
{
    uint32_t *locks = calloc(400, sizeof(*locks));
    struct waiter_fixture f;

    (void)state;
    add_locks(&f, locks, 400, 3);
    for (uint32_t i = 0; i < 200; i++) {
        add_order(&f, 0, 2, locks[i], locks[399 - i], 1000 + i * 1000);
        add_order(&f, 1, 2, locks[399 - i], locks[i], 1500 + i * 1000);
    }
    waiter_make(&f);
    assert_int_equal(f.orders->count, 400);
    assert_int_equal(f.orders->circle_count, LOCK_ORDER_CIRCLES_MAX);
    waiter_deinit(&f);
    free(locks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_of_two_threads_that_contradict_are_a_circle),
        cmocka_unit_test(orders_that_agree_are_none),
        cmocka_unit_test(orders_of_one_thread_alone_are_none),
        cmocka_unit_test(order_is_not_seen_where_the_owner_was_not_blocked_when_it_was_read),
        cmocka_unit_test(orders_of_three_make_a_circle_without_a_pair),
        cmocka_unit_test(orders_of_a_deadlock_are_told_there),
        cmocka_unit_test(order_to_wait_for_a_condition_is_none),
        cmocka_unit_test(orders_of_many_locks_are_bounded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
