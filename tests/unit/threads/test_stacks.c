/* SPDX-License-Identifier: MIT */
/* How much of its stack a thread used, wherever that lies. */
#include <stdlib.h>

#include "unit_test.h"
#include "threads/stacks.h"

#define PID 7u
#define KIB UINT64_C(1024)
#define MAP UINT64_C(0x7f0000000000)

struct shape { /* addresses as offsets in KiB from MAP */
    uint64_t map, sp, begin, end;
    enum stop_reason stop;
};

static struct history history;
static struct stack_size *sizes;

static int begin(void **state)
{
    const struct snap_process process = {.pid = PID, .exe = "/bin/prog"};

    (void)state;
    history_init(&history, NULL, arch_get(ARCH_X86_64));
    return history_process(&history, &process) == STATUS_OK ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    free(sizes);
    sizes = NULL;
    history_deinit(&history);
    return 0;
}

static void comes(uint32_t tid, uint64_t time_ns)
{
    const struct snap_thread info = {.pid = PID, .tid = tid, .name = "t", .time_ns = time_ns};

    assert_int_equal(history_thread(&history, &info), STATUS_OK);
}

static void ends(uint32_t tid, uint64_t time_ns)
{
    const struct snap_thread info = {.pid = PID, .tid = tid, .time_ns = time_ns};

    assert_int_equal(history_thread_end(&history, &info), STATUS_OK);
}

static void sampled(uint32_t tid, uint64_t time_ns, struct shape shape)
{
    const struct snap_region region = {.start_addr = MAP + shape.sp * KIB - 128,
                                       .end_addr = MAP + shape.end * KIB,
                                       .map_end_addr = MAP + shape.end * KIB};
    struct snap_sample sample = {.pid = PID,
                                 .tid = tid,
                                 .time_ns = time_ns,
                                 .state = 'S',
                                 .stack_map_addr = MAP + shape.map * KIB,
                                 .regions = &region,
                                 .region_count = 1};
    const struct chain chain = {.count = 1,
                                .stop = shape.stop,
                                .outermost_sp = shape.begin ? MAP + shape.begin * KIB : 0};
    const struct ingest_sample given = {.sample = &sample, .chain = &chain};

    regs_set(&sample.regs, history.arch->sp, MAP + shape.sp * KIB);
    assert_int_equal(history_sample(&history, &given), STATUS_OK);
}

static void thread(uint32_t tid, struct shape shape)
{
    comes(tid, 0);
    sampled(tid, 1, shape);
}

/* In KiB. */
static void assert_size(size_t thread_index, uint64_t used, uint64_t mapped)
{
    if (!sizes)
        assert_int_equal(stacks_measure(&history, &sizes), STATUS_OK);
    assert_int_equal(sizes[thread_index].used, used * KIB);
    assert_int_equal(sizes[thread_index].mapped, mapped * KIB);
}

TEST_WITH(stacks_of_their_own_have_all_of_the_mapping, begin, end)
{
    thread(8, (struct shape){.map = 0, .sp = 240, .begin = 252, .end = 256});
    thread(9, (struct shape){.map = 260, .sp = 480, .begin = 512, .end = 516});
    assert_size(0, 16, 256);
    assert_size(1, 36, 256);
}

/* As in a core, where all that is known is the mapping. */
TEST_WITH(stacks_side_by_side_count_to_the_frame_they_begin_in, begin, end)
{
    thread(8, (struct shape){.map = 0, .sp = 1000, .begin = 1020, .end = 1024});
    thread(9, (struct shape){.map = 0, .sp = 740, .begin = 764, .end = 1024});
    thread(10, (struct shape){.map = 0, .sp = 500, .begin = 508, .end = 1024});
    assert_size(0, 20, 0);
    assert_size(1, 24, 0);
    assert_size(2, 8, 0);
}

/* As in a capture, where the thread pointer tells the end to a page. */
TEST_WITH(stacks_side_by_side_whose_ends_are_known_do_so_too, begin, end)
{
    thread(8, (struct shape){.map = 0, .sp = 1000, .begin = 1020, .end = 1024});
    thread(9, (struct shape){.map = 0, .sp = 740, .begin = 764, .end = 772});
    thread(10, (struct shape){.map = 0, .sp = 500, .begin = 508, .end = 516});
    assert_size(0, 20, 0);
    assert_size(1, 24, 0);
    assert_size(2, 8, 0);
}

/* Whoever else is there: a pool of which the others are not in use, TLS of a megabyte. */
TEST_WITH(stacks_with_much_above_count_to_the_frame_they_begin_in, begin, end)
{
    thread(8, (struct shape){.map = 0, .sp = 100, .begin = 120, .end = 185});
    assert_size(0, 20, 0);
}

TEST_WITH(stacks_with_little_above_count_to_their_end, begin, end)
{
    thread(8, (struct shape){.map = 0, .sp = 100, .begin = 120, .end = 184});
    assert_size(0, 84, 184);
}

TEST_WITH(stack_of_the_first_thread_has_arguments_above, begin, end)
{
    thread(PID, (struct shape){.map = 0, .sp = 100, .begin = 120, .end = 1024});
    assert_size(0, 924, 1024);
}

TEST_WITH(stack_that_begins_nobody_knows_where_is_not_known_below_another, begin, end)
{
    thread(8, (struct shape){.map = 0, .sp = 1000, .end = 1024, .stop = STOP_NO_RULE});
    thread(9, (struct shape){
                  .map = 0, .sp = 740, .begin = 800, .end = 1024, .stop = STOP_IMPLAUSIBLE});
    assert_size(0, 24, 0);
    assert_size(1, 0, 0);
}

/* Any sample tells where the thread began, not the deepest alone. */
TEST_WITH(stack_begins_where_any_sample_found_that, begin, end)
{
    thread(8, (struct shape){.map = 0, .sp = 1000, .begin = 1020, .end = 1024});
    thread(9, (struct shape){.map = 0, .sp = 700, .end = 1024, .stop = STOP_NO_RULE});
    sampled(9, 2, (struct shape){.map = 0, .sp = 740, .begin = 764, .end = 1024});
    assert_size(1, 64, 0);
}

/* The mapping that a later thread's stack joins above ends a page further up. */
TEST_WITH(stack_is_as_deep_as_its_lowest_sp_whatever_comes_above, begin, end)
{
    thread(8, (struct shape){.map = 0, .sp = 240, .begin = 252, .end = 256});
    sampled(8, 2, (struct shape){.map = 0, .sp = 242, .begin = 252, .end = 260});
    thread(9, (struct shape){.map = 0, .sp = 300, .begin = 508, .end = 512});
    assert_size(0, 12, 0);
}

TEST_WITH(stack_that_another_had_before_is_its_own, begin, end)
{
    comes(8, 0);
    sampled(8, 1, (struct shape){.map = 0, .sp = 200, .begin = 252, .end = 256});
    ends(8, 2);
    comes(9, 3);
    sampled(9, 4, (struct shape){.map = 0, .sp = 240, .begin = 252, .end = 256});
    assert_size(0, 56, 256);
    assert_size(1, 16, 256);
}

TEST_WITH(stack_in_anothers_frames_leaves_that_one_as_it_is, begin, end)
{
    thread(PID, (struct shape){.map = 0, .sp = 20, .begin = 120, .end = 128});
    thread(8, (struct shape){.map = 0, .sp = 50, .begin = 60, .end = 64});
    assert_size(0, 108, 128);
    assert_size(1, 10, 0);
}
