/* SPDX-License-Identifier: MIT */
/* Stacks of threads of Go programs. */
#include "stack_fixture.h"

/* Where the structures of the runtime are, and the stacks, which end a page or more further on. */
enum {
    G0 = 33 * PAGE,
    G = 34 * PAGE,
    GSIGNAL = 35 * PAGE,
    M = 36 * PAGE,
    STACK_G = PAGE,
    STACK_G0 = 8 * PAGE,
    STACK_GSIGNAL = 12 * PAGE,
    STACK_SIZE = 2 * PAGE,
    LEFT_AT = STACK_G + 5000,
};
enum {
    WORD_THREAD = 6,
    WORD_SP,
    WORD_PC,
    WORD_SELF,
    WORD_LR = 12,
    WORD_SIGNAL = 10,
    WORD_CURRENT = 24
};

static void put_at(struct world *w, uint64_t off, unsigned index, uint64_t value)
{
    put_word(w, off + index * sizeof(uint64_t), value);
}

static void put_g(struct world *w, uint64_t g, uint64_t stack, uint64_t sp)
{
    memset(w->memory + g, 0, PAGE);
    put_at(w, g, 0, w->addr + stack);
    put_at(w, g, 1, w->addr + stack + STACK_SIZE);
    put_at(w, g, 2, w->addr + stack + 928);
    put_at(w, g, WORD_THREAD, w->addr + M);
    put_at(w, g, WORD_SP, sp ? w->addr + sp : 0);
    put_at(w, g, WORD_SELF, sp ? w->addr + g : 0);
}

/* A thread of Go's that is in a goroutine. */
static void go_world_init(struct world *w)
{
    world_init(w);
    memset(w->memory + M, 0, PAGE);
    put_at(w, M, 0, w->addr + G0);
    put_at(w, M, WORD_SIGNAL, w->addr + GSIGNAL);
    put_at(w, M, WORD_CURRENT, w->addr + G);
    put_g(w, G0, STACK_G0, STACK_G0 + 8000);
    put_g(w, G, STACK_G, LEFT_AT);
    put_g(w, GSIGNAL, STACK_GSIGNAL, 0);
    put_at(w, G, WORD_PC, 0x401234);
    put_at(w, G, WORD_LR, 0x401300);
    w->request.goroutine = w->addr + G;
    w->request.is_go = true;
}

static void expect_left(const struct world *w, enum snap_goroutine_state state)
{
    const struct snap_goroutine *g = &w->copy.goroutine;

    assert_int_equal(g->state, state);
    assert_int_equal(g->sp, state == SNAP_GOROUTINE_LEFT ? w->addr + LEFT_AT : 0);
    assert_int_equal(g->pc, state == SNAP_GOROUTINE_LEFT ? 0x401234 : 0);
    assert_int_equal(g->lr, 0); /* where calls do not set one */
}

/* The kernel's record of the alternate stack is 144 bytes below the interrupted SP's place. */
static void put_signal_frame(struct world *w, uint64_t off, uint64_t interrupted)
{
    put_word(w, off, w->addr + STACK_GSIGNAL);
    put_word(w, off + 16, STACK_SIZE);
    put_word(w, off + 144, w->addr + interrupted);
}

TEST_BETWEEN(goroutine_s_stack_ends_where_it_says, world, w, go_world_init, world_deinit)
{
    assert_int_equal(copy(w, 6000, 0), STATUS_OK);
    assert_int_equal(w->copy.count, 1);
    expect_region(w, 0, 6000, 3 * PAGE, 3 * PAGE);
    expect_left(w, SNAP_GOROUTINE_LEFT);
    assert_int_equal(w->copy.scheduler_addr, w->addr + G0);
    /* Go's thread pointer may be in the same mapping, above it. */
    w->ranges[0].end_addr = w->addr + 32 * PAGE;
    assert_int_equal(copy(w, 6000, 8 * PAGE), STATUS_OK);
    expect_region(w, 0, 6000, 3 * PAGE, 3 * PAGE);
    assert_int_equal(w->copy.map_start_addr, 0);
}

TEST(stack_is_not_cut_by_what_is_no_goroutine)
{
    static const struct {
        uint64_t off;
        unsigned index;
        uint64_t value; /* an offset into memory */
    } wrong[] = {
        {G, 0, 3 * PAGE},   {G, 1, PAGE},      {G, WORD_THREAD, G0}, {G, WORD_THREAD, M + 4},
        {G, WORD_SELF, G0}, {M, 0, 20 * PAGE}, {M, 0, G + 8},        {G0, WORD_THREAD, M + 8},
        {G0, WORD_SELF, G}, {G, 2, 5 * PAGE},  {G0, 2, 0},
    };

    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
        struct world made, *w = &made;

        go_world_init(w);
        put_at(w, wrong[i].off, wrong[i].index, w->addr + wrong[i].value);
        assert_int_equal(copy(w, 6000, 0), STATUS_OK);
        expect_region(w, 0, 6000, 16 * PAGE, 16 * PAGE);
        assert_int_equal(w->copy.scheduler_addr, 0);
        world_deinit(w);
    }
}

/* Registers and words of another program's may look like anything, and lie in any memory. */
TEST_BETWEEN(nothing_is_looked_at_in_other_programs, world, w, go_world_init, world_deinit)
{
    w->request.is_go = false;
    w->request.scheduler = w->addr + G0;
    assert_int_equal(copy(w, 6000, 0), STATUS_OK);
    expect_region(w, 0, 6000, 16 * PAGE, 16 * PAGE);
    assert_int_equal(w->copy.scheduler_addr, 0);
}

TEST_BETWEEN(link_register_is_one_that_leads_into_code, world, w, go_world_init, world_deinit)
{
    w->target.machine.arch = arch_get(ARCH_AARCH64);
    assert_int_equal(copy(w, 6000, 0), STATUS_OK);
    assert_int_equal(w->copy.goroutine.lr, 0x401300);
    put_at(w, G, WORD_LR, 0x402300); /* the frame pointer, since Go 1.25 */
    assert_int_equal(copy(w, 6000, 0), STATUS_OK);
    assert_int_equal(w->copy.goroutine.lr, 0);
    assert_int_equal(w->copy.goroutine.pc, 0x401234);
}

/* It has come back from there. */
TEST_BETWEEN(goroutine_was_not_left_below_sp, world, w, go_world_init, world_deinit)
{
    assert_int_equal(copy(w, LEFT_AT, 0), STATUS_OK);
    expect_left(w, SNAP_GOROUTINE_LEFT);
    assert_int_equal(copy(w, LEFT_AT + 8, 0), STATUS_OK);
    expect_left(w, SNAP_GOROUTINE_UNKNOWN);
}

/* Regions begin at multiples of 16, and must not overlap: its end is that of another's begin. */
TEST_BETWEEN(stack_begins_where_the_goroutine_says, world, w, go_world_init, world_deinit)
{
    w->request.goroutine = w->addr + G0;
    put_at(w, G0, 0, w->addr + 2 * PAGE);
    put_at(w, G0, 1, w->addr + 2 * PAGE + 1032);
    put_at(w, G0, 2, w->addr + 2 * PAGE + 8);
    put_at(w, G, 0, w->addr + 2 * PAGE + 1032);
    put_at(w, G, 2, w->addr + 2 * PAGE + 1040);
    put_at(w, G, WORD_SP, w->addr + 2 * PAGE + 1032);
    assert_int_equal(copy(w, 2 * PAGE + 512, 0), STATUS_OK);
    assert_int_equal(w->copy.count, 2);
    expect_region(w, 0, 2 * PAGE + 512, 2 * PAGE + 1032, 2 * PAGE + 1032);
    expect_region(w, 1, 2 * PAGE + 1032, 3 * PAGE, 3 * PAGE);
}

/* Go knows only roughly where it is; and that a handler's thread is on it. */
TEST_BETWEEN(stack_that_c_made_ends_where_the_thread_s_does, world, w, go_world_init, world_deinit)
{
    struct map_range ranges[3] = {w->ranges[0], w->ranges[0], w->ranges[1]};

    memset(w->memory + STACK_GSIGNAL, 0, STACK_SIZE);
    w->request.goroutine = w->addr + G0;
    assert_int_equal(copy(w, STACK_G0 + 512, 15 * PAGE), STATUS_OK);
    expect_region(w, 0, STACK_G0 + 512, 16 * PAGE, 16 * PAGE);
    ranges[0].end_addr = ranges[1].start_addr = w->addr + STACK_GSIGNAL;
    w->maps.ranges = ranges;
    w->maps.range_len = 3;
    w->request.goroutine = w->addr + GSIGNAL;
    put_signal_frame(w, STACK_GSIGNAL + 2048, STACK_G0 + 1024);
    assert_int_equal(copy(w, STACK_GSIGNAL + 1024, STACK_GSIGNAL - 512), STATUS_OK);
    assert_int_equal(w->copy.count, 3);
    expect_region(w, 1, STACK_G0 + 1024, STACK_GSIGNAL, STACK_GSIGNAL);
    expect_region(w, 2, LEFT_AT & ~15, STACK_G + STACK_SIZE, STACK_G + STACK_SIZE);
}

TEST_BETWEEN(goroutine_is_not_read_from_a_file, world, w, go_world_init, world_deinit)
{
    w->ranges[1].is_file = true;
    assert_int_equal(copy(w, 6000, 0), STATUS_OK);
    expect_region(w, 0, 6000, 16 * PAGE, 16 * PAGE);
    w->ranges[1].is_file = false;
    w->ranges[1].is_shared = true;
    assert_int_equal(copy(w, 6000, 0), STATUS_OK);
    expect_region(w, 0, 6000, 16 * PAGE, 16 * PAGE);
    w->request.goroutine = w->addr + 20 * PAGE;
    assert_int_equal(copy(w, 6000, 0), STATUS_OK);
    expect_region(w, 0, 6000, 16 * PAGE, 16 * PAGE);
}

/* The runtime's first m and g0 may begin the variables that a file has no bytes of. */
TEST_BETWEEN(goroutine_is_read_at_the_end_of_a_program_s_data, world, w, go_world_init,
             world_deinit)
{
    struct map_range ranges[3] = {w->ranges[0], w->ranges[1], w->ranges[1]};

    ranges[1].end_addr = ranges[2].start_addr = w->addr + G + PAGE;
    ranges[1].is_file = true;
    ranges[1].prot = MAP_PROT_READ | MAP_PROT_WRITE;
    put_at(w, M, 0, w->addr + GSIGNAL + 512); /* g0 */
    memcpy(w->memory + GSIGNAL + 512, w->memory + G0, 256);
    put_at(w, GSIGNAL + 512, WORD_SELF, w->addr + GSIGNAL + 512);
    w->maps.ranges = ranges;
    w->maps.range_len = 3;
    assert_int_equal(copy(w, 6000, 0), STATUS_OK);
    expect_region(w, 0, 6000, 3 * PAGE, 3 * PAGE);
    ranges[1].is_shared = true;
    assert_int_equal(copy(w, 6000, 0), STATUS_OK);
    expect_region(w, 0, 6000, 16 * PAGE, 16 * PAGE);
    ranges[1].is_shared = false;
    ranges[1].prot = MAP_PROT_READ;
    assert_int_equal(copy(w, 6000, 0), STATUS_OK);
    expect_region(w, 0, 6000, 16 * PAGE, 16 * PAGE);
}

/* ... or lie across its end. */
TEST_BETWEEN(goroutine_is_read_across_the_end_of_a_program_s_data, world, w, go_world_init,
             world_deinit)
{
    struct map_range ranges[3] = {w->ranges[0], w->ranges[1], w->ranges[1]};

    ranges[1].end_addr = ranges[2].start_addr = w->addr + M + 160;
    ranges[1].start_addr = w->addr + M;
    ranges[1].is_file = true;
    ranges[1].prot = MAP_PROT_READ | MAP_PROT_WRITE;
    put_at(w, M, 0, w->addr + M + 512);
    put_at(w, M, WORD_CURRENT, w->addr + M + 1024);
    memcpy(w->memory + M + 512, w->memory + G0, 256);
    put_at(w, M + 512, WORD_SELF, w->addr + M + 512);
    memcpy(w->memory + M + 1024, w->memory + G, 256);
    put_at(w, M + 1024, WORD_SELF, w->addr + M + 1024);
    w->request.goroutine = w->addr + M + 1024;
    w->maps.ranges = ranges;
    w->maps.range_len = 3;
    assert_int_equal(copy(w, 6000, 0), STATUS_OK);
    expect_region(w, 0, 6000, 3 * PAGE, 3 * PAGE);
    assert_int_equal(w->copy.scheduler_addr, w->addr + M + 512);
}

TEST_BETWEEN(goroutine_that_was_left_has_its_stack_copied, world, w, go_world_init, world_deinit)
{
    uint64_t regs[ARCH_REG_MAX] = {0};

    w->request.goroutine = w->addr + G0;
    assert_int_equal(copy(w, STACK_G0 + 512, 0), STATUS_OK);
    assert_int_equal(w->copy.count, 2);
    expect_region(w, 0, STACK_G0 + 512, STACK_G0 + STACK_SIZE, STACK_G0 + STACK_SIZE);
    expect_region(w, 1, LEFT_AT & ~15, STACK_G + STACK_SIZE, STACK_G + STACK_SIZE);
    expect_left(w, SNAP_GOROUTINE_LEFT);
    /* The register may still have the goroutine, and another one SP: for a call of C code. */
    w->request.goroutine = w->addr + G;
    regs[12] = w->addr + STACK_G + 1024;
    regs[13] = w->addr + STACK_G + STACK_SIZE;
    w->request.regs = regs;
    assert_int_equal(copy(w, STACK_G0 + 512, 0), STATUS_OK);
    expect_region(w, 1, STACK_G + 1024, STACK_G + STACK_SIZE, STACK_G + STACK_SIZE);
}

/* C code has pushed the register that has it. */
TEST_BETWEEN(goroutine_may_have_been_left_where_a_word_points_to, world, w, go_world_init,
             world_deinit)
{
    memset(w->memory + STACK_G0, 0, STACK_SIZE);
    w->request.goroutine = w->addr + G0;
    put_word(w, STACK_G0 + 512 + 96 * 8, w->addr + STACK_G + 512); /* too far away */
    put_word(w, STACK_G0 + 512 - 8, w->addr + STACK_G + 512);
    put_word(w, STACK_G0 + 512 + 95 * 8, w->addr + STACK_G + 1024);
    put_word(w, STACK_G0 + 512, w->addr + STACK_G + 2048);
    assert_int_equal(copy(w, STACK_G0 + 512, 0), STATUS_OK);
    expect_region(w, 1, STACK_G + 1024, STACK_G + STACK_SIZE, STACK_G + STACK_SIZE);
}

/* The heap may have grown since the mappings were read, in the middle of a stack. */
TEST_BETWEEN(goroutine_s_stack_need_not_be_in_a_known_mapping, world, w, go_world_init,
             world_deinit)
{
    struct map_range ranges[3] = {w->ranges[0], w->ranges[0], w->ranges[1]};

    w->request.goroutine = w->addr + G0;
    ranges[0].start_addr = w->addr + STACK_G0;
    ranges[1] = w->ranges[1];
    w->maps.ranges = ranges; /* G's is in none */
    assert_int_equal(copy(w, STACK_G0 + 512, 0), STATUS_OK);
    assert_int_equal(w->copy.count, 2);
    ranges[0].start_addr = w->addr;
    ranges[0].end_addr = ranges[1].start_addr = w->addr + STACK_G + PAGE;
    ranges[1].end_addr = w->addr + 16 * PAGE;
    ranges[2] = w->ranges[1];
    w->maps.range_len = 3;
    assert_int_equal(copy(w, STACK_G0 + 512, 0), STATUS_OK);
    assert_int_equal(w->copy.count, 2);
    /* SP's own stack, too. */
    w->request.goroutine = w->addr + G;
    assert_int_equal(copy(w, STACK_G + 512, 0), STATUS_OK);
    expect_region(w, 0, STACK_G + 512, STACK_G + STACK_SIZE, STACK_G + STACK_SIZE);
    ranges[1].is_file = true;
    assert_int_equal(copy(w, STACK_G + 512, 0), STATUS_OK);
    assert_int_equal(w->copy.scheduler_addr, 0);
}

TEST_BETWEEN(thread_without_a_goroutine_says_so, world, w, go_world_init, world_deinit)
{
    w->request.goroutine = w->addr + G0;
    put_at(w, M, WORD_CURRENT, 0);
    assert_int_equal(copy(w, STACK_G0 + 512, 0), STATUS_OK);
    assert_int_equal(w->copy.count, 1);
    expect_left(w, SNAP_GOROUTINE_NONE);
}

/* gogo has put SP where the goroutine was left, which does not say that any more. */
TEST_BETWEEN(goroutine_that_is_gone_on_with_is_where_sp_is, world, w, go_world_init, world_deinit)
{
    put_at(w, G, WORD_SP, 0);
    assert_int_equal(copy(w, LEFT_AT, 0), STATUS_OK);
    assert_int_equal(w->copy.count, 1);
    expect_left(w, SNAP_GOROUTINE_LEFT);
    w->request.goroutine = w->addr + G0;
    assert_int_equal(copy(w, STACK_G0 + 512, 0), STATUS_OK);
    expect_left(w, SNAP_GOROUTINE_UNKNOWN);
}

/* The first thread's g0 has the stack that the kernel made. */
TEST_BETWEEN(goroutine_of_the_first_thread_is_found, world, w, go_world_init, world_deinit)
{
    struct map_range ranges[3] = {w->ranges[0], w->ranges[0], w->ranges[1]};

    ranges[0].end_addr = ranges[1].start_addr = w->addr + STACK_G0;
    ranges[1].is_stack = true;
    w->maps.ranges = ranges;
    w->maps.range_len = 3;
    w->request.is_main = true;
    w->request.goroutine = w->addr + G0;
    assert_int_equal(copy(w, STACK_G0 + 512, 0), STATUS_OK);
    assert_int_equal(w->copy.count, 2);
    expect_region(w, 0, STACK_G0 + 512, 16 * PAGE, 16 * PAGE);
    expect_left(w, SNAP_GOROUTINE_LEFT);
    assert_int_equal(w->copy.map_start_addr, w->addr + STACK_G0);
}

/* In C code the register may have anything. */
TEST_BETWEEN(goroutine_is_found_by_the_thread_pointer, world, w, go_world_init, world_deinit)
{
    w->request.goroutine = w->addr + 4;
    put_word(w, 39 * PAGE - 8, w->addr + G0);
    assert_int_equal(copy(w, STACK_G0 + 512, 39 * PAGE), STATUS_OK);
    assert_int_equal(w->copy.count, 2);
    expect_left(w, SNAP_GOROUTINE_LEFT);
    /* Nor need there be one; but its g0 was seen before. */
    assert_int_equal(copy(w, STACK_G0 + 512, 0), STATUS_OK);
    assert_int_equal(w->copy.count, 1);
    w->request.scheduler = w->addr + G0;
    assert_int_equal(copy(w, STACK_G0 + 512, 0), STATUS_OK);
    assert_int_equal(w->copy.count, 2);
    expect_left(w, SNAP_GOROUTINE_LEFT);
}

TEST_BETWEEN(stacks_that_a_handler_interrupted_are_copied, world, w, go_world_init, world_deinit)
{
    memset(w->memory + STACK_GSIGNAL, 0, STACK_SIZE);
    w->request.goroutine = w->addr + GSIGNAL;
    put_signal_frame(w, STACK_GSIGNAL + 2048, STACK_G0 + 1024);
    assert_int_equal(copy(w, STACK_GSIGNAL + 1024, 0), STATUS_OK);
    assert_int_equal(w->copy.count, 3);
    expect_region(w, 0, STACK_GSIGNAL + 1024, STACK_GSIGNAL + STACK_SIZE,
                  STACK_GSIGNAL + STACK_SIZE);
    expect_region(w, 1, STACK_G0 + 1024, STACK_G0 + STACK_SIZE, STACK_G0 + STACK_SIZE);
    expect_region(w, 2, LEFT_AT & ~15, STACK_G + STACK_SIZE, STACK_G + STACK_SIZE);
    expect_left(w, SNAP_GOROUTINE_LEFT);
    /* What C code pushed on g0's before. */
    put_word(w, STACK_G0 + 1024 + 8, w->addr + STACK_G + 1024);
    assert_int_equal(copy(w, STACK_GSIGNAL + 1024, 0), STATUS_OK);
    expect_region(w, 2, STACK_G + 1024, STACK_G + STACK_SIZE, STACK_G + STACK_SIZE);
    /* At its begin the register still has what was interrupted. */
    w->request.goroutine = w->addr + G;
    put_signal_frame(w, STACK_GSIGNAL + 2048, STACK_G + 2048);
    assert_int_equal(copy(w, STACK_GSIGNAL + 1024, 0), STATUS_OK);
    assert_int_equal(w->copy.count, 2);
    expect_region(w, 1, STACK_G + 2048, STACK_G + STACK_SIZE, STACK_G + STACK_SIZE);
}

TEST_BETWEEN(stacks_that_touch_are_not_both_copied, world, w, go_world_init, world_deinit)
{
    w->request.goroutine = w->addr + G0;
    put_at(w, G, 1, w->addr + STACK_G0 + 1024); /* G's stack reaches into g0's */
    assert_int_equal(copy(w, STACK_G0 + 512, 0), STATUS_OK);
    assert_int_equal(w->copy.count, 1);
}
