/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "unit_test.h"
#include "snapshot/live_threads.h"

static size_t add(struct live_threads *threads, uint32_t pid, uint32_t tid)
{
    size_t slot = LIVE_NONE;

    assert_int_equal(live_threads_add(threads, pid, tid, &slot), STATUS_OK);
    return slot;
}

TEST(live_threads_are_found_while_they_live)
{
    struct live_threads threads = {0};

    assert_int_equal(live_threads_find(&threads, 7), LIVE_NONE);
    assert_int_equal(add(&threads, 1, 7), 0);
    assert_int_equal(add(&threads, 1, 8), 1);
    assert_int_equal(live_threads_find(&threads, 7), 0);
    assert_int_equal(live_threads_find(&threads, 8), 1);
    live_threads_end(&threads, 0);
    assert_int_equal(live_threads_find(&threads, 7), LIVE_NONE);
    assert_int_equal(threads.live_count, 1);
    live_threads_deinit(&threads);
}

TEST(live_threads_are_found_by_whatever_guess)
{
    struct live_threads threads = {0};

    add(&threads, 1, 7);
    add(&threads, 1, 0);
    add(&threads, 1, 8);
    assert_int_equal(live_threads_find_at(&threads, 2, 8), 2);
    assert_int_equal(live_threads_find_at(&threads, 0, 8), 2);
    assert_int_equal(live_threads_find_at(&threads, SIZE_MAX, 8), 2);
    live_threads_end(&threads, 1);
    assert_int_equal(live_threads_find_at(&threads, 1, 0), LIVE_NONE); /* a free slot is no tid 0 */
    assert_int_equal(live_threads_find_at(&threads, 1, 9), LIVE_NONE);
    live_threads_deinit(&threads);
}

TEST(live_threads_use_free_slots_again)
{
    struct live_threads threads = {0};

    for (uint32_t tid = 0; tid < 6; tid++)
        assert_int_equal(add(&threads, 1, tid), tid);
    live_threads_end(&threads, 4);
    live_threads_end(&threads, 2);
    assert_true((add(&threads, 1, 10) ^ add(&threads, 1, 11)) == (2 ^ 4));
    assert_int_equal(add(&threads, 1, 12), 6);
    assert_int_equal(threads.count, 7);
    live_threads_deinit(&threads);
}

/* Whichever of a process's threads ends, first, last or between, the others are still its own. */
TEST(live_threads_of_a_process_are_all_come_by)
{
    for (uint32_t gone = 0; gone < 4; gone++) {
        struct live_threads threads = {0};
        size_t slot, count = 0;

        for (uint32_t tid = 0; tid < 4; tid++) {
            add(&threads, 1, tid);
            add(&threads, 2, 100 + tid);
        }
        live_threads_end(&threads, live_threads_find(&threads, gone));
        for (; (slot = live_threads_of(&threads, 1)) != LIVE_NONE; count++) {
            assert_int_equal(threads.list[slot].pid, 1);
            assert_true(threads.list[slot].tid != gone);
            live_threads_end(&threads, slot);
        }
        assert_int_equal(count, 3);
        assert_int_equal(threads.live_count, 4);
        for (uint32_t tid = 100; tid < 104; tid++)
            assert_int_not_equal(live_threads_find(&threads, tid), LIVE_NONE);
        live_threads_deinit(&threads);
    }
}

TEST(live_threads_of_a_process_come_in_the_order_they_were_added_in)
{
    static const uint32_t order[] = {1, 3, 4, 5, 6};
    struct live_threads threads = {0};
    size_t slot;

    for (uint32_t tid = 0; tid < 4; tid++) {
        add(&threads, 1, tid);
        add(&threads, 2, 100 + tid);
    }
    live_threads_end(&threads, live_threads_find(&threads, 0));
    live_threads_end(&threads, live_threads_find(&threads, 2));
    for (uint32_t tid = 4; tid < 7; tid++)
        add(&threads, 1, tid);
    slot = live_threads_of(&threads, 1);
    for (size_t i = 0; i < 5; i++, slot = live_threads_next(&threads, slot))
        assert_int_equal(threads.list[slot].tid, order[i]);
    assert_true(slot == LIVE_NONE);
    live_threads_deinit(&threads);
}

TEST(live_threads_cleared_begin_anew)
{
    struct live_threads threads = {0};

    add(&threads, 1, 7);
    add(&threads, 1, 8);
    live_threads_clear(&threads);
    assert_int_equal(live_threads_find(&threads, 7), LIVE_NONE);
    assert_int_equal(live_threads_of(&threads, 1), LIVE_NONE);
    assert_int_equal(add(&threads, 2, 8), 0);
    assert_int_equal(live_threads_of(&threads, 2), 0);
    live_threads_deinit(&threads);
}
