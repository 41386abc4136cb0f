/* SPDX-License-Identifier: MIT */
/*
 * Chains of a microcontroller (ARM's M-profile) that is made up by hand: a firmware of a few
 * functions, two stacks, and what the processor would have left on them.
 *
 *     RAM   | main stack ............... | thread's stack ....... |
 *           MAIN                 MAIN_END, THREAD         THREAD_END
 */
#include "elf32_fixture.h"

#include "module_fixture.h"
#include "boards/unwind/exceptions.h"
#include "unwind/unwinder.h"

#define MAIN       UINT64_C(0x20000000)
#define MAIN_END   (MAIN + 0x100)
#define THREAD     MAIN_END
#define THREAD_END (THREAD + 0x100)
#define T          0x01000000u

enum { SP = 13, LR = 14, PC = 15, XPSR = 16, MSP = 17, PSP = 18 };

/* Where functions begin, of CODE_SIZE bytes each. */
#define CODE_SIZE 16u
enum {
    RESET,
    START,
    WORK,
    HANDLER,
    INNER,
    THREAD_FUNCTION,
    NEVER_CALLED,
    SWITCH,
    GOES_ON,
    FUNCTIONS
};

static uint64_t function(unsigned index)
{
    return FIXTURE_FIRST + index * CODE_SIZE;
}

/* Behind the `bl` in it, as it is stored. */
static uint32_t called_from(unsigned index)
{
    return (uint32_t)function(index) + 6 + 1;
}

static uint32_t inside(unsigned index) /* where all but a leaf have their frames */
{
    return (uint32_t)function(index) + 2;
}

struct board {
    uint32_t main[64], thread[64];
    struct snap_region regions[2];
    struct snap_sample sample;
    struct snap_task task;
    struct module_set *modules;
    struct address_space space;
    struct unwinder *unwinder;
    struct chain chain;
};

static void put_half(uint8_t *at, unsigned half)
{
    at[0] = (uint8_t)half;
    at[1] = (uint8_t)(half >> 8);
}

/* push {r4, lr}; bl; pop {r4, pc} */
static void put_function(uint8_t *code, unsigned index, unsigned callee)
{
    const uint32_t offset = (callee - index) * CODE_SIZE - 6;
    uint8_t *at = code + index * CODE_SIZE;

    put_half(at, 0xb510);
    put_half(at + 2, 0xf000 | (offset >> 12 & 0x7ff));
    put_half(at + 4, 0xf800 | (offset >> 1 & 0x7ff));
    put_half(at + 6, 0xbd10);
}

/* mrs r0, psp; ldmia r0!, {r4-r11, lr}; msr psp, r0; bx lr */
static const uint8_t switch_code[] = {0xef, 0xf3, 0x09, 0x80, 0xb0, 0xe8, 0xf0,
                                      0x4f, 0x80, 0xf3, 0x09, 0x88, 0x70, 0x47};

static struct module *make_firmware(struct module_set *modules)
{
    static const char *const names[] = {"reset",        "main",   "work",
                                        "handler",      "inner",  "thread_entry",
                                        "never_called", "switch", "goes_on"};
    struct elf_fixture *elf = fixture_create(EM_ARM);
    struct symbol_fixture symbols;
    uint8_t code[(FUNCTIONS + 4) * CODE_SIZE] = {0};

    for (size_t i = 0; i < FUNCTIONS * CODE_SIZE; i += 2)
        put_half(code + i, 0xbf00); /* nop */
    put_function(code, RESET, START);
    put_function(code, START, WORK);
    put_function(code, WORK, INNER);
    put_function(code, HANDLER, INNER);
    put_function(code, THREAD_FUNCTION, WORK);
    put_half(code + INNER * CODE_SIZE, 0xb510);
    put_half(code + INNER * CODE_SIZE + 4, 0xbd10);
    put_half(code + NEVER_CALLED * CODE_SIZE, 0xe7fe);
    memcpy(code + SWITCH * CODE_SIZE, switch_code, sizeof(switch_code));
    put_half(code + GOES_ON * CODE_SIZE, 0x4800);     /* ldr r0, =main */
    put_half(code + GOES_ON * CODE_SIZE + 2, 0x4700); /* bx r0 */
    put_half(code + GOES_ON * CODE_SIZE + 4, ((unsigned)function(START) + 1) & 0xffff);
    put_half(code + GOES_ON * CODE_SIZE + 6, (unsigned)function(START) >> 16);
    fixture_section(elf, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, code, sizeof(code));
    symbols_init(&symbols);
    for (unsigned i = 0; i < FUNCTIONS; i++)
        symbols_add(&symbols, names[i], STB_GLOBAL, STT_FUNC, function(i) + 1, CODE_SIZE);
    fixture_symbols(elf, &symbols, false);
    fixture_finish32(elf);
    return fixture_module(modules, elf);
}

static void board_init(struct board *b)
{
    const struct arch *arch = arch_get(ARCH_ARM);
    struct module_options options = {.arch = arch};
    struct module *module;

    *b = (struct board){0};
    assert_int_equal(module_set_create(&options, &b->modules), STATUS_OK);
    address_space_init(&b->space);
    module = make_firmware(b->modules);
    assert_int_equal(address_space_add(&b->space, FIXTURE_BASE, FIXTURE_BASE + 0x1000, 0, module),
                     STATUS_OK);
    b->space.board = (struct board_space){.is_board = true,
                                          .profile = SNAP_PROFILE_ARM_M,
                                          .initial_sp = MAIN_END,
                                          .reset_addr = function(RESET) + 1};
    assert_int_equal(unwinder_create(arch, b->modules, &(struct unwinder_options){0}, &b->unwinder),
                     STATUS_OK);
    b->regions[0] = (struct snap_region){MAIN, MAIN_END, MAIN_END, (uint8_t *)b->main};
    b->regions[1] = (struct snap_region){THREAD, THREAD_END, THREAD_END, (uint8_t *)b->thread};
    b->sample.regions = b->regions;
    b->sample.region_count = 2;
}

static void board_deinit(struct board *b)
{
    chain_deinit(&b->chain);
    unwinder_destroy(b->unwinder);
    address_space_deinit(&b->space);
    module_set_destroy(b->modules);
}

static void set(struct board *b, uint64_t pc, uint64_t sp, uint64_t lr, uint64_t xpsr)
{
    for (unsigned reg = 0; reg < 13; reg++)
        regs_set(&b->sample.regs, reg, 0);
    regs_set(&b->sample.regs, PC, pc);
    regs_set(&b->sample.regs, SP, sp);
    regs_set(&b->sample.regs, LR, lr);
    regs_set(&b->sample.regs, XPSR, xpsr);
}

/* Of push {r4, lr}, at that word. */
static void put_call(uint32_t *words, unsigned at, uint32_t return_addr)
{
    words[at] = 0;
    words[at + 1] = return_addr;
}

static void put_exception(uint32_t *words, unsigned at, uint32_t pc, uint32_t lr, uint32_t xpsr)
{
    memset(words + at, 0, 5 * sizeof(*words));
    words[at + 5] = lr;
    words[at + 6] = pc;
    words[at + 7] = xpsr;
}

static uint64_t word_addr(uint64_t base, unsigned at)
{
    return base + 4 * at;
}

/* reset calls main calls work: their frames at the end of the main stack. */
static void put_main(struct board *b)
{
    put_call(b->main, 62, UINT32_MAX);
    put_call(b->main, 60, called_from(RESET));
    put_call(b->main, 58, called_from(START));
}

/* "4+2 3+6 …": function and distance from its start. */
static void expect_chain(struct board *b, const char *expected, enum stop_reason stop)
{
    char text[256] = "";

    assert_int_equal(unwinder_chain(b->unwinder, &b->space, &b->sample, &b->chain), STATUS_OK);
    for (size_t i = 0; i < b->chain.count; i++) {
        const uint64_t off = b->chain.frames[i].pc_addr - FIXTURE_FIRST;
        char *end = text + strlen(text);
        size_t left = sizeof(text) - strlen(text);

        if (off < FUNCTIONS * CODE_SIZE)
            snprintf(end, left, "%s%u+%u", i ? " " : "", (unsigned)(off / CODE_SIZE),
                     (unsigned)(off % CODE_SIZE));
        else
            snprintf(end, left, "%s?", i ? " " : "");
    }
    assert_string_equal(text, expected);
    assert_int_equal(b->chain.stop, stop);
}

/* A handler on the main stack interrupts `work`, in which a frame is made; the processor aligns. */
static void take_handler_in_main(struct board *b)
{
    put_main(b);
    put_exception(b->main, 50, inside(WORK), called_from(START), T);
    put_call(b->main, 48, 0xfffffff9);
    put_call(b->main, 46, called_from(HANDLER));
    set(b, inside(INNER), word_addr(MAIN, 46), 0, T | 15);
}

TEST_OF(board_handler_is_called_by_what_it_interrupted, board, b)
{
    char name[EXCEPTION_TEXT_MAX];

    take_handler_in_main(b);
    expect_chain(b, "4+2 3+6 2+2 1+6 0+6", STOP_RESET);
    assert_int_equal(b->chain.frames[1].trust, TRUST_PROLOGUE);
    assert_true(b->chain.frames[1].is_call);
    assert_int_equal(b->chain.frames[2].trust, TRUST_EXCEPTION);
    assert_false(b->chain.frames[2].is_call);
    assert_int_equal(b->chain.frames[2].lookup_vaddr, inside(WORK));
    assert_int_equal(b->chain.frames[2].exception, 15);
    assert_true(exceptions_name(arch_get(ARCH_ARM), &b->chain.frames[2], name, sizeof(name)));
    assert_string_equal(name, "SysTick");
    assert_false(exceptions_name(arch_get(ARCH_ARM), &b->chain.frames[1], name, sizeof(name)));
}

/* What a program of Linux has in place of a return address is up to the program. */
TEST_OF(board_alone_has_exceptions, board, b)
{
    take_handler_in_main(b);
    b->space.board = (struct board_space){.is_board = true};
    expect_chain(b, "4+2 3+6", STOP_IMPLAUSIBLE);
}

/* A frame at an address that is no multiple of 8 has a word above it, and bit 9 of xPSR. */
TEST_OF(board_interrupted_stack_was_aligned, board, b)
{
    put_call(b->main, 62, UINT32_MAX);
    put_call(b->main, 60, called_from(RESET));
    put_call(b->main, 57, called_from(START)); /* and a word of its own: inner */
    put_exception(b->main, 48, inside(INNER), 0, T | 0x200);
    put_call(b->main, 46, 0xfffffff9);
    put_call(b->main, 44, called_from(HANDLER));
    set(b, inside(INNER), word_addr(MAIN, 44), 0, T | 16);
    b->main[58] = called_from(START);
    b->main[59] = 0;
    expect_chain(b, "4+2 3+6 4+2 1+6", STOP_IMPLAUSIBLE);
}

/* An interrupt in a handler in a thread with a stack of its own. */
static void take_nested_in_thread(struct board *b, uint32_t thread_returns)
{
    put_call(b->thread, 62, thread_returns);
    put_call(b->thread, 60, called_from(THREAD_FUNCTION));
    put_exception(b->thread, 52, inside(WORK), 0, T);
    put_call(b->main, 62, 0xfffffffd);
    put_call(b->main, 60, called_from(HANDLER));
    put_exception(b->main, 52, inside(INNER), 0, T | 15);
    put_call(b->main, 50, 0xfffffff1);
    put_call(b->main, 48, called_from(HANDLER));
    set(b, inside(INNER), word_addr(MAIN, 48), 0, T | 20);
    regs_set(&b->sample.regs, PSP, word_addr(THREAD, 52));
}

TEST_OF(board_nested_handlers_lead_to_the_thread_on_its_own_stack, board, b)
{
    static const uint32_t returns[] = {0, UINT32_MAX, 1};

    for (size_t i = 0; i < sizeof(returns) / sizeof(returns[0]); i++) {
        take_nested_in_thread(b,
                              returns[i] == 1 ? (uint32_t)function(NEVER_CALLED) + 1 : returns[i]);
        expect_chain(b, "4+2 3+6 4+2 3+6 2+2 5+6", STOP_THREAD_START);
        assert_int_equal(b->chain.frames[2].exception, 20);
        assert_int_equal(b->chain.frames[4].exception, 15);
    }
}

TEST_OF(board_thread_that_is_called_by_name_is_no_start, board, b)
{
    put_call(b->thread, 62, 0);
    put_exception(b->thread, 54, inside(WORK), 0, T);
    put_call(b->main, 62, 0xfffffffd);
    set(b, inside(HANDLER), word_addr(MAIN, 62), 0, T | 15);
    regs_set(&b->sample.regs, PSP, word_addr(THREAD, 54));
    expect_chain(b, "3+2 2+2", STOP_IMPLAUSIBLE);
    /* But at the end of the stack that the RTOS tells of. */
    b->task = (struct snap_task){.stack_start_addr = THREAD, .stack_end_addr = THREAD_END};
    b->sample.task = &b->task;
    expect_chain(b, "3+2 2+2", STOP_THREAD_START);
    b->task.stack_end_addr = THREAD_END + 0x100;
    expect_chain(b, "3+2 2+2", STOP_IMPLAUSIBLE);
}

TEST_OF(board_stack_that_is_not_there_cuts_the_chain, board, b)
{
    take_nested_in_thread(b, 0);
    b->sample.region_count = 1;
    expect_chain(b, "4+2 3+6 4+2 3+6", STOP_TRUNCATED);
    b->sample.region_count = 2;
    regs_forget(&b->sample.regs, PSP);
    expect_chain(b, "4+2 3+6 4+2 3+6", STOP_TRUNCATED);
}

TEST_OF(board_frame_that_no_processor_saved_ends_the_chain, board, b)
{
    take_handler_in_main(b);
    b->main[57] = 0x01c00000;
    expect_chain(b, "4+2 3+6", STOP_IMPLAUSIBLE);
}

/* At its first instruction the handler has all in LR; when it has returned, in PC. */
TEST_OF(board_handler_without_frame_has_it_in_lr, board, b)
{
    put_main(b);
    put_exception(b->main, 50, inside(WORK), 0, T);
    set(b, function(HANDLER), word_addr(MAIN, 50), 0xfffffff9, T | 15);
    expect_chain(b, "3+0 2+2 1+6 0+6", STOP_RESET);
    set(b, 0xfffffff8, word_addr(MAIN, 50), 0, T | 15);
    expect_chain(b, "? 2+2 1+6 0+6", STOP_RESET);
    assert_int_equal(b->chain.frames[1].trust, TRUST_EXCEPTION);
}

/* The switch has loaded LR from the next thread's stack: rows do not know where it came from. */
TEST_OF(board_switch_of_threads_has_it_in_lr, board, b)
{
    put_call(b->thread, 62, 0);
    put_call(b->thread, 60, called_from(THREAD_FUNCTION));
    put_exception(b->thread, 52, inside(WORK), 0, T);
    set(b, function(SWITCH) + 12, word_addr(MAIN, 64), 0xfffffffd, T | 14);
    regs_set(&b->sample.regs, PSP, word_addr(THREAD, 52));
    expect_chain(b, "7+12 2+2 5+6", STOP_THREAD_START);
    /* Not in a thread, whatever LR has. */
    set(b, function(SWITCH) + 12, word_addr(THREAD, 52), 0xfffffffd, T);
    expect_chain(b, "7+12", STOP_NO_RULE);
}

/*
 * Between the two, LR and r4 to r11 are the next thread's already: that has not used the FPU, while
 * the one that is left has. What its handler stored of it is below what the processor did.
 */
TEST_OF(board_switch_of_threads_leaves_the_one_that_psp_is_of, board, b)
{
    put_call(b->thread, 62, 0);
    put_call(b->thread, 60, called_from(THREAD_FUNCTION));
    put_exception(b->thread, 34, inside(WORK), 0, T);
    b->thread[17] = 0xffffffed;
    set(b, function(SWITCH) + 8, word_addr(MAIN, 64), 0xfffffffd, T | 14);
    regs_set(&b->sample.regs, PSP, word_addr(THREAD, 34));
    expect_chain(b, "7+8 2+2 5+6", STOP_THREAD_START);
    b->thread[17] = 0;
    expect_chain(b, "7+8", STOP_NO_RULE);
    memmove(b->thread + 52, b->thread + 34, 8 * sizeof(b->thread[0]));
    b->thread[51] = 0xfffffffd;
    regs_set(&b->sample.regs, LR, 0xffffffed);
    regs_set(&b->sample.regs, PSP, word_addr(THREAD, 52));
    expect_chain(b, "7+8 2+2 5+6", STOP_THREAD_START);
    /* Before the loads LR is the handler's own. */
    put_main(b);
    put_exception(b->main, 50, inside(WORK), 0, T);
    set(b, function(SWITCH) + 8, word_addr(MAIN, 50), 0xfffffff9, T | 14);
    expect_chain(b, "7+8 2+2 1+6 0+6", STOP_RESET);
}

/* To an even address, so that T is gone: the handler is entered with LR as the call left it. */
TEST_OF(board_fault_after_a_jump_to_nowhere_goes_on_by_lr, board, b)
{
    static const struct snap_system cfsr = {.number = 0xe000ed28, .value = 0x00020000};
    char text[EXCEPTION_TEXT_MAX];

    put_main(b);
    put_exception(b->main, 50, 0xdeadbeee, called_from(WORK), 0);
    put_call(b->main, 48, 0xfffffff9);
    set(b, inside(HANDLER), word_addr(MAIN, 48), 0, T | 6);
    b->sample.system = &cfsr;
    b->sample.system_count = 1;
    expect_chain(b, "3+2 ? 2+6 1+6 0+6", STOP_RESET);
    assert_int_equal(b->chain.frames[1].pc_addr, 0xdeadbeee);
    assert_int_equal(b->chain.frames[2].trust, TRUST_LR);
    assert_true(
        exceptions_fault(arch_get(ARCH_ARM), &b->space, &b->sample, &b->chain, text, sizeof(text)));
    assert_string_equal(text, "UsageFault: INVSTATE");
}

/* The same stack pointers, and the stack unchanged from the handler's caller on: what is cached of
 * the first sample is not told of the second. */
TEST_OF(board_caches_do_not_keep_what_was_interrupted, board, b)
{
    b->sample.region_count = 1;
    for (unsigned i = 0; i < 3; i++) {
        take_handler_in_main(b);
        expect_chain(b, "4+2 3+6 2+2 1+6 0+6", STOP_RESET);
        b->sample.unchanged_addr = word_addr(MAIN, 58);
        put_exception(b->main, 50, (uint32_t)function(WORK), called_from(THREAD_FUNCTION), T);
        expect_chain(b, "4+2 3+6 2+0 5+6 1+6 0+6", STOP_RESET);
        b->sample.unchanged_addr = word_addr(MAIN, 58);
    }
}

/* The frame is of a function of which LR is the caller, whatever its code would do. */
TEST_OF(board_row_does_not_hold_where_nothing_was_executed, board, b)
{
    put_main(b);
    put_exception(b->main, 50, inside(INNER), called_from(WORK), 0);
    put_call(b->main, 48, 0xfffffff9);
    set(b, inside(HANDLER), word_addr(MAIN, 48), 0, T | 6);
    for (unsigned i = 0; i < 2; i++) {
        expect_chain(b, "3+2 4+2 2+6 1+6 0+6", STOP_RESET);
        /* As it is cached when it was executed. */
        b->main[57] = T;
        b->main[59] = called_from(WORK);
        expect_chain(b, "3+2 4+2 2+6 0+6", STOP_RESET);
        b->main[57] = 0;
        b->main[59] = called_from(START);
    }
}

TEST_OF(board_erased_code_does_not_contradict_a_return_address, board, b)
{
    put_call(b->main, 58, (uint32_t)function(FUNCTIONS) + 33);
    set(b, inside(WORK), word_addr(MAIN, 58), 0, T);
    assert_int_equal(unwinder_chain(b->unwinder, &b->space, &b->sample, &b->chain), STATUS_OK);
    assert_true(b->chain.count >= 2);
    assert_int_equal(b->chain.frames[1].pc_addr, function(FUNCTIONS) + 32);
    assert_false(stop_is_start(b->chain.stop));
}

/* What the handler of the reset has jumped to finds its LR, at the stack's end. */
TEST_OF(board_begins_where_the_reset_left_sp, board, b)
{
    put_call(b->main, 62, UINT32_MAX);
    set(b, inside(START), word_addr(MAIN, 62), 0, T);
    expect_chain(b, "1+2", STOP_RESET);
    put_call(b->main, 60, UINT32_MAX);
    set(b, inside(START), word_addr(MAIN, 60), 0, T);
    expect_chain(b, "1+2", STOP_IMPLAUSIBLE);
}

TEST_OF(board_reset_handler_is_that_of_the_vector_table_or_of_the_file, board, b)
{
    put_main(b);
    set(b, inside(WORK), word_addr(MAIN, 58), 0, T);
    b->space.board.reset_addr = 0; /* nor a table: the entry point, which is that function */
    expect_chain(b, "2+2 1+6 0+6", STOP_RESET);
    b->space.board.reset_addr = function(HANDLER) + 1;
    b->space.board.initial_sp = 0x20008000;
    expect_chain(b, "2+2 1+6 0+6", STOP_THREAD_START); /* nothing calls it, but it is no reset */
    /* What it goes on to begins the board as well, if that has no caller. */
    b->main[61] = 0x20000001;
    expect_chain(b, "2+2 1+6", STOP_IMPLAUSIBLE);
    b->space.board.reset_addr = function(GOES_ON) + 1;
    expect_chain(b, "2+2 1+6", STOP_RESET);
}
