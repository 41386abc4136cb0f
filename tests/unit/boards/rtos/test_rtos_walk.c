/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "unit_test.h"
#include "rtos_fixture.h"
#include "boards/rtos/context.h"

static uint8_t bytes[0x2000];
static struct rtos_tasks tasks;

static void put(uint64_t addr, uint32_t word)
{
    memcpy(bytes + (addr - MEMORY_ADDR), &word, sizeof(word));
}

static uint64_t at(struct rtos_fixture *f, uint64_t addr, const char *field)
{
    return addr + rtos_fixture_field(f, field)->value;
}

/* A list with one item, or with none (0). */
static void put_list(struct rtos_fixture *f, uint64_t list, uint64_t item)
{
    const uint64_t end = at(f, list, "sk_list.end");

    put(at(f, list, "sk_list.end.next"), (uint32_t)(item ? item : end));
    if (item)
        put(at(f, item, "sk_item.next"), (uint32_t)end);
}

#define TASK_A (MEMORY_ADDR + 0x1000)
#define ITEM_A (MEMORY_ADDR + 0x1100)
#define TASK_B (MEMORY_ADDR + 0x1200)
#define ITEM_B (MEMORY_ADDR + 0x1300)

/* The current task is A; all lists are empty. */
static void begin(struct rtos_fixture *f)
{
    memset(bytes, 0, sizeof(bytes));
    rtos_fixture_init(f, &rtos_sample, bytes, sizeof(bytes));
    put(at(f, 0, "sk_current"), TASK_A);
    for (unsigned i = 0; i < MEMORY_COUNT; i++)
        put_list(f, at(f, 0, "sk_ready") + i * MEMORY_SIZE_OF, 0);
    put_list(f, at(f, 0, "sk_delayed"), 0);
    put_list(f, at(f, 0, "sk_suspended"), 0);
}

static void add_delayed(struct rtos_fixture *f)
{
    put_list(f, at(f, 0, "sk_delayed"), ITEM_B);
    put(at(f, ITEM_B, "sk_item.owner"), TASK_B);
    put(at(f, ITEM_B, "sk_item.value"), 77);
    put(at(f, TASK_B, "sk_task.priority"), 3);
}

TEST(walk_of_a_kernel_that_runs_tells_current_and_delayed_task)
{
    struct rtos_fixture f;

    begin(&f);
    add_delayed(&f);
    put(at(&f, 0, "sk_ticks"), 70);
    assert_int_equal(rtos_walk(&f.layout, &f.memory, &tasks), STATUS_OK);
    assert_int_equal(tasks.count, 2);
    assert_int_equal(tasks.tick, 70);
    assert_false(tasks.is_cut);
    assert_true(tasks.tasks[0].has_cpu);
    assert_int_equal(tasks.tasks[0].told.state, SNAP_TASK_RUNNING);
    assert_int_equal(tasks.tasks[1].handle_addr, TASK_B);
    assert_int_equal(tasks.tasks[1].told.state, SNAP_TASK_BLOCKED);
    assert_int_equal(tasks.tasks[1].told.wait_kind, SNAP_TASK_WAIT_DELAY);
    assert_int_equal(tasks.tasks[1].told.wake_tick, 77);
    assert_int_equal(tasks.tasks[1].told.priority, 3);
    assert_int_equal(tasks.tasks[1].regs.known, 0);
}

TEST(walk_of_a_kernel_that_has_not_started_finds_nothing)
{
    struct rtos_fixture f;

    begin(&f);
    put(at(&f, 0, "sk_current"), 0);
    assert_int_equal(rtos_walk(&f.layout, &f.memory, &tasks), STATUS_NOT_FOUND);
}

TEST(walk_without_the_kernels_variables_is_a_fault)
{
    struct rtos_fixture f;

    begin(&f);
    f.size = 0;
    assert_int_equal(rtos_walk(&f.layout, &f.memory, &tasks), STATUS_FAULT);
}

TEST(walk_of_a_list_in_a_circle_ends_and_says_so)
{
    struct rtos_fixture f;

    begin(&f);
    add_delayed(&f);
    put(at(&f, ITEM_B, "sk_item.next"), ITEM_B);
    assert_int_equal(rtos_walk(&f.layout, &f.memory, &tasks), STATUS_OK);
    assert_int_equal(tasks.count, 2);
    assert_true(tasks.is_cut);
    assert_non_null(strstr(tasks.problem, "circle"));
}

TEST(walk_of_a_list_to_nowhere_keeps_what_came_before)
{
    struct rtos_fixture f;

    begin(&f);
    add_delayed(&f);
    put(at(&f, ITEM_B, "sk_item.next"), 0x90000000);
    assert_int_equal(rtos_walk(&f.layout, &f.memory, &tasks), STATUS_OK);
    assert_int_equal(tasks.count, 2);
    assert_true(tasks.is_cut);
    assert_non_null(strstr(tasks.problem, "cannot be read"));
}

TEST(walk_of_an_item_without_a_task_is_cut)
{
    struct rtos_fixture f;

    begin(&f);
    add_delayed(&f);
    put(at(&f, ITEM_B, "sk_item.owner"), 3);
    assert_int_equal(rtos_walk(&f.layout, &f.memory, &tasks), STATUS_OK);
    assert_int_equal(tasks.count, 1);
    assert_true(tasks.is_cut);
}

static bool is_always_late(void *context)
{
    (void)context;
    return true;
}

TEST(walk_that_is_late_ends_with_the_running_task_and_says_so)
{
    static const struct rtos_system *const systems[] = {&rtos_sample, &rtos_freertos, &rtos_zephyr};
    struct rtos_fixture f;

    begin(&f);
    add_delayed(&f);
    f.memory.is_late = is_always_late;
    assert_int_equal(rtos_walk(&f.layout, &f.memory, &tasks), STATUS_OK);
    assert_int_equal(tasks.count, 1);
    for (unsigned i = 0; i < 3; i++) {
        memset(bytes, 0x20, sizeof(bytes)); /* all leads to there */
        rtos_fixture_init(&f, systems[i], bytes, sizeof(bytes));
        f.memory.is_late = is_always_late;
        assert_int_equal(rtos_walk(&f.layout, &f.memory, &tasks), STATUS_OK);
        assert_in_range(tasks.count, 0, MEMORY_COUNT);
        assert_true(tasks.is_cut);
        assert_in_range(f.reads, 1, 200);
    }
}

/* Reading is by packets of a debug probe. */
TEST(walk_reads_no_byte_twice)
{
    struct rtos_fixture f;

    begin(&f);
    add_delayed(&f);
    f.memory.is_cheap = false;
    assert_int_equal(rtos_walk(&f.layout, &f.memory, &tasks), STATUS_OK);
    assert_in_range(f.reads, 1, 24);
}

/* r4 to r11, then r0-r3, r12, lr, pc, xPSR. */
static void put_frame(uint64_t addr, uint32_t pc, uint32_t xpsr)
{
    const uint32_t words[] = {40, 50, 60, 70, 80, 90, 100, 110, 0, 1, 2, 3, 12, 0x1401, pc, xpsr};

    for (unsigned i = 0; i < 16; i++)
        put(addr + 4 * i, words[i]);
}

#define STACK (MEMORY_ADDR + 0x1800)

static void find_context(uint64_t end_addr, struct regs *regs)
{
    static const struct saved_context list[] = {
        {CONTEXT_ARM, 9, true, {4, 5, 6, 7, 8, 9, 10, 11, CONTEXT_EXC}},
        {CONTEXT_ARM, 8, true, {4, 5, 6, 7, 8, 9, 10, 11}},
    };
    struct rtos_fixture f;
    struct walk w;

    rtos_fixture_init(&f, &rtos_sample, bytes, sizeof(bytes));
    tasks.count = 0;
    walk_init(&w, &f.layout, &f.memory, &tasks);
    context_find(&w, list, 2, STACK, end_addr, regs);
}

TEST(context_of_a_cortex_m_has_all_registers)
{
    struct regs regs;

    put_frame(STACK, 0x1200, 1u << 24);
    find_context(STACK + 64, &regs);
    assert_int_equal(regs.known, 0x1ffff);
    assert_int_equal(regs.value[4], 40);
    assert_int_equal(regs.value[11], 110);
    assert_int_equal(regs.value[12], 12);
    assert_int_equal(regs.value[13], STACK + 64);
    assert_int_equal(regs.value[14], 0x1401);
    assert_int_equal(regs.value[15], 0x1200);
}

/* ARMv7-M, B1.5.7: bit 9 of the xPSR that was pushed. */
TEST(context_of_an_aligned_stack_goes_on_a_word_further)
{
    struct regs regs;

    put_frame(STACK, 0x1200, 1u << 24 | 1u << 9);
    find_context(0, &regs);
    assert_int_equal(regs.value[13], STACK + 68);
}

TEST(context_whose_pc_is_no_code_is_not_known)
{
    struct regs regs;

    put_frame(STACK, 0x5200, 1u << 24);
    find_context(0, &regs);
    assert_int_equal(regs.known, 0);
}

TEST(context_of_an_exception_is_not_known)
{
    struct regs regs;

    put_frame(STACK, 0x1200, 1u << 24 | 15);
    find_context(0, &regs);
    assert_int_equal(regs.known, 0);
    put_frame(STACK, 0x1200, 0); /* not Thumb */
    find_context(0, &regs);
    assert_int_equal(regs.known, 0);
}

TEST(context_beyond_the_stacks_end_is_not_known)
{
    struct regs regs;

    put_frame(STACK, 0x1200, 1u << 24);
    find_context(STACK + 60, &regs);
    assert_int_equal(regs.known, 0);
}
