/* SPDX-License-Identifier: MIT */
/*
 * Landing pads in x86-64 code are entered with the frame of the calls that throw to them.
 */
#include "prologue_fixture.h"

enum { RSP = 7 };

/* Two calls of different depths, and what is entered when they throw. */
static void begin_throwing_calls(struct function *f, const struct landing_pad *landing_pads,
                                 size_t landing_pad_count)
{
    function_init(f, ARCH_X86_64, CODE_DEFAULT);
    f->input.landing_pads = landing_pads;
    f->input.landing_pad_count = landing_pad_count;
    add(f, "\x53", 1);                 /* +0 push rbx */
    add(f, "\x89\xfb", 2);             /* +1 mov ebx, edi */
    add(f, "\x48\x83\xec\x10", 4);     /* +3 sub rsp, 0x10 */
    add(f, "\xe8\xf4\x0f\x00\x00", 5); /* +7 call CALLEE       rsp+32 */
    add(f, "\x50\x50", 2);             /* +c push rax; push rax */
    add(f, "\xe8\xed\x0f\x00\x00", 5); /* +e call CALLEE       rsp+48 */
    add(f, "\x48\x83\xc4\x20", 4);     /* +13 add rsp, 0x20 */
    add(f, "\x5b\xc3", 2);             /* +17 pop rbx; ret */
    add(f, "\x48\x83\xc4\x10", 4);     /* +19 add rsp, 0x10 */
    add(f, "\x48\x89\xc7", 3);         /* +1d mov rdi, rax */
    add(f, "\xe8\xdb\xef\x0f\x00", 5); /* +20 call NORETURN */
}

TEST(prologue_landing_pad_is_entered_with_the_frame_of_its_calls)
{
    static const struct landing_pad landing_pads[] = {{START + 0x7, START + 0xc, START + 0x1d, 0},
                                                      {START + 0xe, START + 0x13, START + 0x19, 0}};
    struct function f;

    begin_throwing_calls(&f, landing_pads, 2);
    f.input.reached_only = true; /* nothing is guessed */
    EXPECT_ROWS(&f, {START + 0x19, "rsp+48 rbx=c-16"}, {START + 0x1d, "rsp+32 rbx=c-16"},
                {START + 0x20, "rsp+32 rbx=c-16"});

    f.input.landing_pad_count = 0;
    EXPECT_ROWS(&f, {START + 0x19, NULL}, {START + 0x1d, NULL});
    function_deinit(&f);
}

/* A range may take in calls that cannot throw: of what was pushed for these no table tells. */
TEST(prologue_landing_pad_of_calls_that_disagree_has_the_frame_of_the_shallowest)
{
    static const struct landing_pad landing_pads[] = {{START + 0x7, START + 0x13, START + 0x19, 0}};
    struct function f;

    begin_throwing_calls(&f, landing_pads, 1);
    EXPECT_ROWS(&f, {START + 0x13, "rsp+48 rbx=c-16"}, {START + 0x19, "rsp+32 rbx=c-16"},
                {START + 0x1d, "rsp+16 rbx=c-16"});
    function_deinit(&f);
}

TEST(prologue_landing_pad_finds_pushed_arguments_popped)
{
    static const struct landing_pad landing_pads[] = {{START + 0x7, START + 0xc, START + 0x1d, 0},
                                                      {START + 0xe, START + 0x13, START + 0x1d,
                                                       16}};
    struct function f;

    begin_throwing_calls(&f, landing_pads + 1, 1); /* of the deeper call alone */
    f.input.reached_only = true;
    EXPECT_ROWS(&f, {START + 0x1d, "rsp+32 rbx=c-16"});

    f.input.landing_pads = landing_pads;
    f.input.landing_pad_count = 2;
    EXPECT_ROWS(&f, {START + 0x1d, "rsp+32 rbx=c-16"});
    function_deinit(&f);
}

/* Stack depths that cannot be compared (alloca): the frame pointer tells. */
TEST_OF(prologue_landing_pad_without_a_known_depth_has_the_frame_pointer, function, f, ARCH_X86_64,
        CODE_DEFAULT)
{
    static const struct landing_pad landing_pads[] = {{START + 0x4, START + 0x11, START + 0x13, 0}};

    add(f, "\x55", 1);                 /* +0 push rbp */
    add(f, "\x48\x89\xe5", 3);         /* +1 mov rbp, rsp */
    add(f, "\xe8\xf7\x0f\x00\x00", 5); /* +4 call CALLEE */
    add(f, "\x48\x29\xc4", 3);         /* +9 sub rsp, rax */
    add(f, "\xe8\xef\x0f\x00\x00", 5); /* +c call CALLEE */
    add(f, "\xc9\xc3", 2);             /* +11 leave; ret */
    add(f, "\x48\x89\xc7", 3);         /* +13 mov rdi, rax */
    add(f, "\xe8\xe5\xef\x0f\x00", 5); /* +16 call NORETURN */
    f->input.reached_only = true;
    f->input.landing_pads = landing_pads;
    f->input.landing_pad_count = 1;
    EXPECT_ROWS(f, {START + 0x13, "rbp+16 rbp=c-16"}, {START + 0x16, "rbp+16 rbp=c-16"});
}

TEST(prologue_state_at_a_pad_outside_is_that_of_its_calls)
{
    static const struct landing_pad landing_pad = {START + 0xe, START + 0x13, OTHER, 16};
    static const struct landing_pad elsewhere = {START + 0x13, START + 0x17, OTHER, 0};
    struct function f;
    struct prologue *prologue;
    struct state at_landing_pad;

    begin_throwing_calls(&f, NULL, 0);
    assert_int_equal(prologue_create(&f.input, &prologue), STATUS_OK);
    assert_int_equal(prologue_state_at_landing_pad(prologue, &landing_pad, &at_landing_pad),
                     STATUS_OK);
    assert_int_equal(at_landing_pad.regs[RSP].kind, VALUE_ENTRY);
    assert_int_equal(at_landing_pad.regs[RSP].k, -24);
    assert_int_equal(prologue_state_at_landing_pad(prologue, &elsewhere, &at_landing_pad),
                     STATUS_NOT_FOUND);
    prologue_destroy(prologue);
    function_deinit(&f);
}

/* What an LSDA says is not trusted to lie inside the function, nor to begin an instruction. */
TEST(prologue_landing_pad_elsewhere_changes_nothing)
{
    static const struct landing_pad landing_pads[] = {{START, START + 5, START + 0x17, 0},
                                                      {START + 0x7, START + 0xc, OTHER, 0},
                                                      {START + 0x7, START + 0xc, START - 1, 0},
                                                      {START + 0x13, START + 0xe, START + 0x17, 0},
                                                      {START + 0x13, OTHER, START + 0x17, 0}};
    struct function f;

    begin_throwing_calls(&f, landing_pads, sizeof(landing_pads) / sizeof(landing_pads[0]));
    EXPECT_ROWS(&f, {START + 0x7, "rsp+32 rbx=c-16"}, {START + 0x13, "rsp+48 rbx=c-16"},
                {START + 0x17, "rsp+16 rbx=c-16"}, {START + 0x18, "rsp+8"});
    function_deinit(&f);
}
