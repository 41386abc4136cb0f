/* SPDX-License-Identifier: MIT */
#include "stack_fixture.h"

TEST_OF(stack_of_the_first_thread_reaches_its_mapping_end, world, w)
{
    w->ranges[0].is_stack = true;
    w->request.is_main = true;
    assert_int_equal(copy(w, 5000, 33 * PAGE), STATUS_OK);
    assert_int_equal(w->copy.count, 1);
    expect_region(w, 0, 5000, 16 * PAGE, 16 * PAGE);
    assert_int_equal(w->copy.map_start_addr, w->addr);
    assert_false(w->copy.maps_stale);
}

TEST_OF(stack_that_grew_since_the_maps_were_read_is_whole, world, w)
{
    w->ranges[0].is_stack = true;
    w->ranges[0].start_addr += 8 * PAGE;
    w->request.is_main = true;
    assert_int_equal(copy(w, 2 * PAGE + 16, 0), STATUS_OK);
    expect_region(w, 0, 2 * PAGE + 16, 16 * PAGE, 16 * PAGE);
}

TEST_OF(stack_that_is_not_the_thread_s_own_has_no_mapping_of_its_own, world, w)
{
    /* The thread pointer is in another mapping: a coroutine's stack, or an alternate one. */
    assert_int_equal(copy(w, 3000, 33 * PAGE), STATUS_OK);
    assert_int_equal(w->copy.map_start_addr, 0);
}

TEST_OF(stack_of_a_thread_ends_above_its_thread_pointer, world, w)
{
    assert_int_equal(copy(w, 3000, 6 * PAGE + 100), STATUS_OK);
    assert_int_equal(w->copy.count, 1);
    assert_int_equal(w->copy.map_start_addr, w->addr);
    expect_region(w, 0, 3000, 8 * PAGE, 8 * PAGE);
    /* Not beyond the mapping. */
    assert_int_equal(copy(w, 3000, 16 * PAGE - 100), STATUS_OK);
    expect_region(w, 0, 3000, 16 * PAGE, 16 * PAGE);
}

TEST_OF(stack_larger_than_the_limit_is_cut, world, w)
{
    w->request.limit = 1000;
    assert_int_equal(copy(w, 3000, 6 * PAGE), STATUS_OK);
    expect_region(w, 0, 3000, 4000, 7 * PAGE);
}

TEST_OF(stack_shorter_than_the_maps_say_is_what_was_read, world, w)
{
    w->ranges[0].end_addr += 4 * PAGE;
    assert_int_equal(copy(w, 3000, 0), STATUS_OK);
    expect_region(w, 0, 3000, 16 * PAGE, 20 * PAGE);
    assert_true(w->copy.maps_stale);
}

TEST_OF(stack_in_an_unknown_mapping_is_read_but_counts_as_cut, world, w)
{
    w->maps.range_len = 0;
    assert_int_equal(copy(w, 3000, 6 * PAGE), STATUS_OK);
    assert_int_equal(w->copy.count, 1);
    assert_true(w->copy.regions[0].map_end_addr > w->copy.regions[0].end_addr);
    assert_true(w->copy.regions[0].end_addr >= w->addr + 15 * PAGE);
    assert_true(w->copy.maps_stale);
}

TEST_OF(stack_pointer_that_cannot_be_read_is_a_fault, world, w)
{
    assert_int_equal(copy(w, 20 * PAGE, 6 * PAGE), STATUS_FAULT);
    w->ranges[0].end_addr += 16 * PAGE;
    assert_int_equal(copy(w, 20 * PAGE, 0), STATUS_FAULT);
}

/* A handler on an alternate stack of 4 pages in `other`; the frame says so, 144 bytes apart. */
static void put_signal_frame(struct world *w, uint64_t at, uint64_t interrupted)
{
    put_word(w, at, w->addr + interrupted);
    put_word(w, at - 144, w->addr + 33 * PAGE);
    put_word(w, at - 128, 4 * PAGE);
}

TEST_OF(stack_begins_below_sp_by_the_red_zone, world, w)
{
    w->target.machine.red_zone = 128;
    assert_int_equal(copy(w, 3000, 6 * PAGE), STATUS_OK);
    expect_region(w, 0, 3000 - 128, 7 * PAGE, 7 * PAGE);
    /* The limit counts from SP. */
    w->request.limit = 1000;
    assert_int_equal(copy(w, 3000, 6 * PAGE), STATUS_OK);
    expect_region(w, 0, 3000 - 128, 4000, 7 * PAGE);
    /* Not below the mapping. */
    w->request.limit = SNAP_STACK_MAX;
    assert_int_equal(copy(w, 48, 6 * PAGE), STATUS_OK);
    expect_region(w, 0, 0, 7 * PAGE, 7 * PAGE);
    /* What is below cannot be read, though the mappings say so: without it. */
    w->ranges[1].start_addr -= 4 * PAGE;
    assert_int_equal(copy(w, 32 * PAGE + 48, 0), STATUS_OK);
    expect_region(w, 0, 32 * PAGE + 48, 40 * PAGE, 40 * PAGE);
}

TEST_OF(stack_interrupted_in_a_red_zone_has_it, world, w)
{
    w->target.machine.red_zone = 128;
    put_signal_frame(w, 36 * PAGE, 2 * PAGE + 24);
    /* Below SP are leftovers: this would be the lowest pointer, were it looked at. */
    put_signal_frame(w, 35 * PAGE - 8, PAGE);
    assert_int_equal(copy(w, 35 * PAGE, 6 * PAGE), STATUS_OK);
    assert_int_equal(w->copy.count, 2);
    expect_region(w, 0, 35 * PAGE - 128, 37 * PAGE, 37 * PAGE);
    expect_region(w, 1, 2 * PAGE + 16 - 128, 7 * PAGE, 7 * PAGE);
}

TEST_OF(stack_beyond_the_arena_is_no_memory, world, w)
{
    w->arena.used = 0;
    w->request.sp = w->addr + 3000;
    w->arena.used = w->arena.size - PAGE;
    assert_int_equal(stack_copy(&w->request, &w->arena, &w->copy), STATUS_NO_MEMORY);
}

TEST_OF(stack_interrupted_by_a_handler_is_the_second_region, world, w)
{
    put_signal_frame(w, 36 * PAGE, 2 * PAGE + 24);
    /* A lower pointer into the ordinary stack that is in no signal frame. */
    put_word(w, 36 * PAGE + 512, w->addr + 64);
    assert_int_equal(copy(w, 35 * PAGE, 6 * PAGE), STATUS_OK);
    assert_int_equal(w->copy.count, 2);
    expect_region(w, 0, 35 * PAGE, 37 * PAGE, 37 * PAGE);
    expect_region(w, 1, 2 * PAGE + 16, 7 * PAGE, 7 * PAGE);
}

TEST_OF(stack_without_a_signal_frame_gives_the_lowest_pointer, world, w)
{
    put_word(w, 36 * PAGE, w->addr + 3 * PAGE + 1);
    put_word(w, 36 * PAGE + 8, w->addr + 2 * PAGE + 24);
    put_word(w, 36 * PAGE + 16, w->addr + 9 * PAGE); /* above the thread's stack */
    assert_int_equal(copy(w, 35 * PAGE, 6 * PAGE), STATUS_OK);
    assert_int_equal(w->copy.count, 2);
    expect_region(w, 0, 35 * PAGE, 40 * PAGE, 40 * PAGE);
    expect_region(w, 1, 2 * PAGE + 16, 7 * PAGE, 7 * PAGE);
}

TEST_OF(stack_of_the_first_thread_interrupted_by_a_handler, world, w)
{
    w->ranges[0].is_stack = true;
    w->request.is_main = true;
    put_signal_frame(w, 36 * PAGE, 9 * PAGE);
    /* Also when the alternate stack's mapping was merged with that of the thread pointer. */
    for (uint64_t tp = 0; tp <= 39 * PAGE; tp += 39 * PAGE) {
        assert_int_equal(copy(w, 35 * PAGE, tp), STATUS_OK);
        assert_int_equal(w->copy.count, 2);
        expect_region(w, 0, 35 * PAGE, 37 * PAGE, 37 * PAGE);
        expect_region(w, 1, 9 * PAGE, 16 * PAGE, 16 * PAGE);
    }
}

TEST_OF(stack_elsewhere_without_pointers_is_one_region, world, w)
{
    assert_int_equal(copy(w, 35 * PAGE, 6 * PAGE), STATUS_OK);
    assert_int_equal(w->copy.count, 1);
    expect_region(w, 0, 35 * PAGE, 40 * PAGE, 40 * PAGE);
}

/* A frame record on each of the pages; the last has no caller. */
static void put_records(struct world *w, unsigned count)
{
    for (unsigned i = 1; i <= count; i++) {
        put_word(w, i * PAGE, i < count ? w->addr + (i + 1) * PAGE : 0);
        put_word(w, i * PAGE + 8, CODE + i);
    }
    w->request.fp = w->addr + PAGE;
}

TEST_OF(stack_whose_end_frame_records_tell_is_copied_so_far, world, w)
{
    const uint64_t end = 3 * PAGE + 16 + STACK_RECORDS_ROOM;

    mprotect(w->memory + 16 * PAGE, 16 * PAGE, PROT_READ | PROT_WRITE);
    w->ranges[0].end_addr = w->addr + STACK_FOREIGN_ALONE_MAX + PAGE;
    put_records(w, 3);
    assert_int_equal(copy(w, 64, 0), STATUS_OK);
    expect_region(w, 0, 64, end, STACK_FOREIGN_ALONE_MAX + PAGE);
    assert_false(w->copy.maps_stale);
    /* A function without frame pointers may have 0 there: return addresses follow. */
    put_word(w, 3 * PAGE + 512, CODE + 9);
    assert_int_equal(copy(w, 64, 0), STATUS_OK);
    expect_region(w, 0, 64, 64 + STACK_FOREIGN_MAX, STACK_FOREIGN_ALONE_MAX + PAGE);
    put_word(w, 3 * PAGE + 512, 0);
    put_records(w, 2);
    assert_int_equal(copy(w, 64, 0), STATUS_OK);
    expect_region(w, 0, 64, 64 + STACK_FOREIGN_MAX, STACK_FOREIGN_ALONE_MAX + PAGE);
}

TEST_OF(stack_whose_end_is_not_known_is_cut_in_a_large_mapping, world, w)
{
    mprotect(w->memory + 16 * PAGE, 16 * PAGE, PROT_READ | PROT_WRITE);
    w->ranges[0].end_addr = w->addr + STACK_FOREIGN_ALONE_MAX + PAGE;
    assert_int_equal(copy(w, PAGE, 0), STATUS_OK);
    expect_region(w, 0, PAGE, PAGE + STACK_FOREIGN_MAX, STACK_FOREIGN_ALONE_MAX + PAGE);
    /* The user's limit is higher, and it goes on as long as there are addresses of code. */
    w->request.limit = 20 * PAGE;
    w->request.limit_given = true;
    assert_int_equal(copy(w, PAGE, 0), STATUS_OK);
    expect_region(w, 0, PAGE, PAGE + STACK_FOREIGN_MAX, STACK_FOREIGN_ALONE_MAX + PAGE);
    put_word(w, 10 * PAGE, CODE);
    assert_int_equal(copy(w, PAGE, 0), STATUS_OK);
    expect_region(w, 0, PAGE, 21 * PAGE, STACK_FOREIGN_ALONE_MAX + PAGE);
}

TEST_OF(arena_trim_keeps_what_is_in_use, world, w)
{
    assert_int_equal(copy(w, 3000, 0), STATUS_OK);
    stack_arena_trim(&w->arena);
    stack_arena_trim(&w->arena);
    expect_region(w, 0, 3000, 16 * PAGE, 16 * PAGE);
    w->arena.used = 0;
    stack_arena_trim(&w->arena);
    stack_arena_trim(&w->arena);
    assert_int_equal(w->arena.base[0], 0);
}
