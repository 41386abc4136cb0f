/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "unit_test.h"
#include <dwarf.h>

#include "variables/frame_entry.h"

#define BIAS   UINT64_C(0x555500000000)
#define FRAMES 20
#define STACK  UINT64_C(0x7000)

/*
 * A chain of functions, the innermost first: function I begins at vaddr 0x1000 * (I + 1) and is
 * called by I + 1. Each keeps its own number in rbx (3), and its caller passed it rdi (5) so:
 * sites[I] is the call in function I + 1 that returns there from function I.
 */
struct scene {
    struct frame frames[FRAMES];
    struct frame_regs regs[FRAMES];
    struct chain chain;
    struct module module;
    struct snap_sample sample;
    struct snap_region region;
    uint64_t words[4]; /* at STACK */
    struct address_space space;
    struct pc_level levels[FRAMES];
    struct pc_scope scopes[FRAMES];
    struct call_site sites[FRAMES];
    struct call_parameter parameters[FRAMES];
    bool lacks_scope[FRAMES];
};

static struct scene scene;

/* What the debug information would answer. */

enum status debug_info_scope(struct debug_info *info, uint64_t vaddr, const struct pc_scope **out)
{
    const uint64_t i = vaddr / 0x1000 - 1;

    (void)info;
    if (i >= FRAMES || scene.lacks_scope[i])
        return STATUS_NOT_FOUND;
    *out = &scene.scopes[i];
    return STATUS_OK;
}

enum status debug_info_call_site(struct debug_info *info, uint64_t vaddr,
                                 const struct call_site **out)
{
    const uint64_t i = vaddr / 0x1000 - 1; /* of the caller */

    (void)info;
    if (i == 0 || i >= FRAMES || vaddr % 0x1000 != 0x100)
        return STATUS_NOT_FOUND;
    *out = &scene.sites[i - 1];
    return STATUS_OK;
}

enum status debug_info_type(struct debug_info *info, die_ref ref, const struct type **out)
{
    (void)info;
    (void)ref;
    (void)out;
    return STATUS_NOT_FOUND;
}

enum status debug_info_variable(struct debug_info *info, die_ref die, uint64_t vaddr,
                                const struct scope_variable **out)
{
    (void)info;
    (void)die;
    (void)vaddr;
    (void)out;
    return STATUS_NOT_FOUND;
}

static enum status find_info(void *context, struct module *module, struct debug_info **out)
{
    (void)context;
    (void)module;
    *out = NULL;
    return STATUS_OK;
}

#define LOCATION(ops_) ((struct location){.ops = (ops_), .count = sizeof(ops_) / sizeof((ops_)[0])})

static const struct location_op rdi[] = {{.atom = DW_OP_reg5}};
static const struct location_op rsi[] = {{.atom = DW_OP_reg4}};
static const struct location_op rbx[] = {{.atom = DW_OP_breg3}};
static const struct location_op rcx[] = {{.atom = DW_OP_breg2}};
static const struct location_op at_rdi[] = {{.atom = DW_OP_breg5}, {.atom = DW_OP_deref}};
static const struct location_op half_at_rdi[] = {{.atom = DW_OP_breg5},
                                                 {.atom = DW_OP_deref_size, .operand = {4}}};
static const struct location_op big[] = {
    {.atom = DW_OP_const8u, .operand = {UINT64_C(0x1122334455667788)}}};
static const struct location inner_rdi = {.ops = rdi, .count = 1};
static const struct location_op entry_rdi[] = {{.atom = DW_OP_entry_value, .inner = &inner_rdi},
                                               {.atom = DW_OP_plus_uconst, .operand = {1}}};
static const struct location_op fbreg[] = {{.atom = DW_OP_fbreg, .operand = {8}}};

static void setup(void)
{
    memset(&scene, 0, sizeof(scene));
    for (uint64_t i = 0; i < FRAMES; i++) {
        const uint64_t vaddr = 0x1000 * (i + 1);

        scene.frames[i] = (struct frame){.pc_addr = BIAS + vaddr + 0x100,
                                         .lookup_vaddr = vaddr + 0x100 - (i > 0),
                                         .module = &scene.module,
                                         .vaddr_known = true,
                                         .is_call = i > 0,
                                         .trust = TRUST_EH_FRAME};
        regs_set(&scene.regs[i].regs, 3, i);
        scene.levels[i] = (struct pc_level){.name = "f", .is_external = true};
        scene.scopes[i] = (struct pc_scope){.levels = &scene.levels[i],
                                            .count = 1,
                                            .entry_vaddr = vaddr,
                                            .body_vaddr = vaddr};
        scene.parameters[i] = (struct call_parameter){.where = LOCATION(rdi),
                                                      .has_value = true,
                                                      .value = LOCATION(rbx)};
        scene.sites[i] = (struct call_site){.has_target = true,
                                            .target_vaddr = vaddr,
                                            .parameters = &scene.parameters[i],
                                            .count = 1};
    }
    scene.chain = (struct chain){.frames = scene.frames,
                                 .count = FRAMES,
                                 .regs = scene.regs,
                                 .wants_regs = true};
    scene.words[1] = BIAS + 0x1000;
    scene.region = (struct snap_region){.start_addr = STACK,
                                        .end_addr = STACK + sizeof(scene.words),
                                        .map_end_addr = STACK + sizeof(scene.words),
                                        .bytes = (const uint8_t *)scene.words};
    scene.sample = (struct snap_sample){.regions = &scene.region, .region_count = 1};
}

static void begin(struct frame_view *view, size_t index)
{
    const struct variables_frame frame = {.space = &scene.space,
                                          .sample = &scene.sample,
                                          .chain = &scene.chain,
                                          .index = index};

    assert_int_equal(frame_view_begin(view,
                                      &(struct frame_view_source){.arch = arch_get(ARCH_X86_64),
                                                                  .find_info = find_info},
                                      &frame),
                     STATUS_OK);
}

static void expect_passed(struct location inner, uint64_t want)
{
    struct frame_view view;
    struct known_how known;
    uint64_t value = 0;

    begin(&view, 0);
    known = frame_entry_value(&view, &inner, 0, &value);
    if (known.why)
        print_message("%s\n", known.why);
    assert_int_equal(known.state, KNOWN);
    assert_int_equal(value, want);
}

static void expect_not(struct location inner, const char *why)
{
    struct frame_view view;
    struct known_how known;
    uint64_t value = 0;

    begin(&view, 0);
    known = frame_entry_value(&view, &inner, 0, &value);
    assert_int_equal(known.state, UNAVAILABLE);
    assert_string_equal(known.why, why);
}

#define NOT_TOLD  "the caller does not say what it passed"
#define BY_JUMPS  "the function leaves by jumps"
#define OF_OTHERS "the call was of another function"

TEST(entry_value_is_computed_in_the_callers_frame)
{
    setup();
    expect_passed(LOCATION(rdi), 1); /* the caller's rbx */
    expect_not(LOCATION(rsi), NOT_TOLD);
    scene.parameters[0].value = LOCATION(rcx); /* which the callee may have changed */
    expect_not(LOCATION(rdi), "in a register that was not saved");
    scene.parameters[0].has_value = false;
    expect_not(LOCATION(rdi), NOT_TOLD);
}

TEST(entry_value_of_what_is_pointed_to_has_its_size)
{
    setup();
    expect_not(LOCATION(at_rdi), NOT_TOLD);
    scene.parameters[0].has_pointed = true;
    scene.parameters[0].pointed = LOCATION(big);
    expect_passed(LOCATION(at_rdi), UINT64_C(0x1122334455667788));
    expect_passed(LOCATION(half_at_rdi), 0x55667788);
    expect_not(LOCATION(rbx), NOT_TOLD);
}

TEST(entry_value_needs_a_call_of_this_function)
{
    static const struct location_op by_memory[] = {{.atom = DW_OP_const2u, .operand = {STACK + 8}},
                                                   {.atom = DW_OP_deref}};
    static const struct location_op lost[] = {{.atom = DW_OP_breg2}, {.atom = DW_OP_deref}};

    setup();
    scene.sites[0].target_vaddr = 0x9000;
    expect_not(LOCATION(rdi), OF_OTHERS);
    scene.sites[0].has_target = false;
    expect_not(LOCATION(rdi), "what was called is not known");
    scene.sites[0].has_target_location = true;
    scene.sites[0].target = LOCATION(by_memory);
    expect_passed(LOCATION(rdi), 1);
    scene.words[1]++;
    expect_not(LOCATION(rdi), OF_OTHERS);
    scene.sites[0].target = LOCATION(lost);
    expect_not(LOCATION(rdi), "what was called is not known");
    setup();
    scene.frames[1].is_call = false; /* it was interrupted */
    expect_not(LOCATION(rdi), "there is no caller");
    setup();
    scene.chain.count = 1;
    expect_not(LOCATION(rdi), "there is no caller");
}

TEST(entry_value_needs_a_function_that_is_not_jumped_to)
{
    static const uint64_t self[] = {0x1000}, others[] = {0x4000, 0x5000}, back[] = {0x4000, 0x1000};

    setup();
    scene.scopes[0].tail_vaddrs = others;
    scene.scopes[0].tail_count = 2;
    expect_passed(LOCATION(rdi), 1);
    scene.scopes[4].tail_vaddrs = back;
    scene.scopes[4].tail_count = 1;
    expect_passed(LOCATION(rdi), 1);
    scene.scopes[4].tail_count = 2;
    expect_not(LOCATION(rdi), "the function calls itself by a jump");
    scene.scopes[4].tail_count = 0;
    scene.scopes[4].has_other_tails = true;
    expect_not(LOCATION(rdi), BY_JUMPS);
    scene.scopes[4].has_other_tails = false;
    scene.lacks_scope[4] = true;
    expect_not(LOCATION(rdi), BY_JUMPS);
    scene.lacks_scope[4] = false;
    scene.scopes[4].entry_vaddr = 0x4f00; /* a jump into the middle of what is not known */
    expect_not(LOCATION(rdi), BY_JUMPS);
    setup();
    scene.scopes[0].tail_vaddrs = self;
    scene.scopes[0].tail_count = 1;
    expect_not(LOCATION(rdi), "the function calls itself by a jump");
    setup();
    scene.scopes[0].has_other_tails = true;
    expect_not(LOCATION(rdi), BY_JUMPS);
}

/* Each function has passed on what it was passed, plus 1. */
TEST(entry_value_of_entry_values_is_bounded)
{
    setup();
    for (size_t i = 0; i < 4; i++)
        scene.parameters[i].value = LOCATION(entry_rdi);
    expect_passed(LOCATION(rdi), 5 + 4); /* function 5's rbx */
    for (size_t i = 0; i < FRAMES; i++)
        scene.parameters[i].value = LOCATION(entry_rdi);
    expect_not(LOCATION(rdi), "nested too deep");
}

TEST(entry_value_is_not_known_behind_a_guess)
{
    setup();
    scene.frames[1].trust = TRUST_SCAN;
    expect_not(LOCATION(rdi), "the frame was guessed");
}

TEST(entry_parameter_is_found_by_its_die)
{
    struct frame_view view;
    uint64_t value = 0;

    setup();
    scene.parameters[0].where = (struct location){0};
    scene.parameters[0].parameter = 0x77;
    begin(&view, 0);
    assert_int_equal(frame_entry_parameter(&view, 0x77, 0, &value).state, KNOWN);
    assert_int_equal(value, 1);
    assert_string_equal(frame_entry_parameter(&view, 0x78, 0, &value).why, NOT_TOLD);
    scene.parameters[0].parameter = 0;
    assert_string_equal(frame_entry_parameter(&view, 0, 0, &value).why, NOT_TOLD);
}

TEST(frame_base_of_itself_is_not_known)
{
    const struct scope_variable variable = {.name = "v",
                                            .form = VARIABLE_LOCATED,
                                            .location = LOCATION(fbreg)};
    struct frame_view view;
    struct object object;

    setup();
    scene.scopes[0].has_frame_base = true;
    scene.scopes[0].frame_base = LOCATION(fbreg);
    begin(&view, 0);
    assert_string_equal(frame_view_object(&view, &variable, &object).why, "frame base of itself");
    scene.scopes[0].frame_base = LOCATION(entry_rdi);
    begin(&view, 0);
    assert_int_equal(frame_view_object(&view, &variable, &object).state, KNOWN);
    assert_int_equal(object.place.pieces[0].addr, 1 + 1 + 8);
}

static const struct location_op rbp[] = {{.atom = DW_OP_reg6}};
static const struct location_op rsp[] = {{.atom = DW_OP_reg7}};
static const struct location_op cfa[] = {{.atom = DW_OP_call_frame_cfa}};
static const struct location_op at_rbp[] = {{.atom = DW_OP_breg6, .operand = {(uint64_t)-8}}};
static const struct location_op in_rbx[] = {{.atom = DW_OP_reg3}};
static const struct location_op below[] = {{.atom = DW_OP_fbreg, .operand = {(uint64_t)-24}}};
static const struct location_op spilled[] = {{.atom = DW_OP_breg7, .operand = {8}},
                                             {.atom = DW_OP_convert,
                                              .type = {.encoding = DW_ATE_unsigned, .size = 8}},
                                             {.atom = DW_OP_convert,
                                              .type = {.encoding = DW_ATE_unsigned, .size = 4}},
                                             {.atom = DW_OP_stack_value}};

/* What the variable is told for; "": it is known. */
static const char *asked(size_t frame, struct location location, bool is_listed)
{
    const struct scope_variable variable = {.name = "v",
                                            .form = VARIABLE_LOCATED,
                                            .location = location,
                                            .is_listed = is_listed};
    struct frame_view view;
    struct object object;
    struct known_how known;

    begin(&view, frame);
    known = frame_view_object(&view, &variable, &object);
    return is_known(known) ? "" : known.why;
}

#define UNTRACKED "in a register that the compiler did not follow"
#define BEGUN     "the function has just begun, or ends"

/* Frame 0 was not calling, frame 1 was; rbp is what the CFA is found by only of the former. */
TEST(variables_are_not_found_by_a_register_of_the_callers)
{
    setup();
    for (size_t i = 0; i < 2; i++) {
        regs_set(&scene.regs[i].regs, 6, STACK + 16);
        regs_set(&scene.regs[i].regs, 7, STACK);
        scene.regs[i].cfa = STACK + 32;
        scene.regs[i].cfa_known = true;
        scene.regs[i].cfa_reg = i == 0 ? 6 : REG_NONE;
        scene.scopes[i].has_frame_base = true;
        scene.scopes[i].frame_base = LOCATION(rbp);
    }
    assert_string_equal(asked(0, LOCATION(fbreg), false), "");
    assert_string_equal(asked(0, LOCATION(at_rbp), false), "");
    scene.regs[0].cfa_reg = 7; /* it has not begun to be the frame pointer, or is no more */
    assert_string_equal(asked(0, LOCATION(fbreg), false), BEGUN);
    assert_string_equal(asked(0, LOCATION(at_rbp), false), BEGUN);
    assert_string_equal(asked(0, LOCATION(at_rbp), true), BEGUN);
    assert_string_equal(asked(0, LOCATION(in_rbx), false), "");
    assert_string_equal(asked(1, LOCATION(fbreg), false), "");
    assert_string_equal(asked(1, LOCATION(at_rbp), false), "");
    /* As gcc does it: lists say where it holds. */
    scene.scopes[0].frame_base = LOCATION(cfa);
    assert_string_equal(asked(0, LOCATION(at_rbp), false), BEGUN);
    assert_string_equal(asked(0, LOCATION(in_rbx), false), BEGUN);
    assert_string_equal(asked(0, LOCATION(at_rbp), true), "");
    assert_string_equal(asked(0, LOCATION(in_rbx), true), "");
    /* A register that the function uses for others meanwhile. */
    assert_string_equal(asked(0, LOCATION(rdi), false), "");
    scene.scopes[0].is_untracked = scene.scopes[1].is_untracked = true;
    assert_string_equal(asked(0, LOCATION(rdi), false), UNTRACKED);
    assert_string_equal(asked(1, LOCATION(in_rbx), false), UNTRACKED);
    assert_string_equal(asked(1, LOCATION(at_rbp), false), "");
}

TEST(stack_pointer_as_a_base_needs_the_rows)
{
    setup();
    regs_set(&scene.regs[1].regs, 7, STACK);
    scene.regs[1].cfa = STACK + 16;
    scene.regs[1].cfa_known = true;
    scene.regs[1].cfa_reg = 7;
    scene.scopes[1].has_frame_base = true;
    scene.scopes[1].frame_base = LOCATION(rsp);
    assert_string_equal(asked(1, LOCATION(fbreg), false), BEGUN); /* there is no unwinder */
    assert_string_equal(asked(1, LOCATION(spilled), true), "its location cannot be right");
}

TEST(what_is_below_the_stack_pointer_is_not_the_frames)
{
    setup();
    scene.region.start_addr = STACK - 1024;
    for (size_t i = 0; i < 2; i++) {
        regs_set(&scene.regs[i].regs, 7, STACK);
        scene.regs[i].cfa = STACK;
        scene.regs[i].cfa_known = true;
        scene.scopes[i].has_frame_base = true;
        scene.scopes[i].frame_base = LOCATION(cfa);
    }
    assert_string_equal(asked(0, LOCATION(below), false), ""); /* in the red zone */
    assert_string_equal(asked(1, LOCATION(below), false), "below the stack pointer");
    scene.regs[0].cfa = STACK - 128 + 24;
    assert_string_equal(asked(0, LOCATION(below), false), "");
    scene.regs[0].cfa--;
    assert_string_equal(asked(0, LOCATION(below), false), "below the stack pointer");
    scene.region.start_addr = STACK - 128; /* the object's end is there */
    assert_string_equal(asked(0, LOCATION(below), false), "below the stack pointer");
}

TEST(arguments_are_not_stored_where_the_prologue_calls)
{
    setup();
    for (size_t i = 0; i < 2; i++) {
        regs_set(&scene.regs[i].regs, 7, STACK);
        scene.regs[i].cfa = STACK + 48;
        scene.regs[i].cfa_known = true;
        scene.scopes[i].has_frame_base = true;
        scene.scopes[i].frame_base = LOCATION(cfa);
        assert_string_equal(asked(i, LOCATION(below), false), "");
        scene.scopes[i].body_vaddr = scene.frames[i].lookup_vaddr + 1;
        assert_string_equal(asked(i, LOCATION(below), false), "the function has just begun");
        assert_string_equal(asked(i, LOCATION(below), true), "");
    }
}

TEST(what_is_pointed_to_is_not_known_of_repeats)
{
    static const uint8_t bytes[8] = {7};
    const struct snap_region pointee = {.start_addr = 0x9000, .end_addr = 0x9008, .bytes = bytes};
    struct frame_view view;
    uint8_t byte = 0;

    setup();
    scene.sample.pointees = &pointee;
    scene.sample.pointee_count = 1;
    begin(&view, 0);
    assert_int_equal(view.values.read(view.values.context, 0x9000, &byte, 1).state, KNOWN);
    assert_int_equal(byte, 7);
    scene.sample.repeat = true;
    assert_int_equal(view.values.read(view.values.context, 0x9000, &byte, 1).state, NOT_CAPTURED);
    assert_int_equal(view.values.read(view.values.context, STACK, &byte, 1).state, KNOWN);
}

static const char *result(void)
{
    static const struct location_op rax[] = {{.atom = DW_OP_breg0}, {.atom = DW_OP_stack_value}};
    const struct scope_variable variable = {.name = "result",
                                            .form = VARIABLE_LOCATED,
                                            .is_listed = true,
                                            .location = LOCATION(rax)};
    struct frame_view view;
    struct object object;
    struct known_how known;

    begin(&view, 0);
    known = frame_view_object(&view, &variable, &object);
    return is_known(known) ? "" : known.why;
}

TEST(result_of_a_system_call_is_not_known_before_it_returns)
{
    setup();
    scene.frames[0].trust = TRUST_CONTEXT;
    regs_set(&scene.regs[0].regs, 0, 5);
    assert_string_equal(result(), "");
    scene.sample.has_syscall = true;
    assert_string_equal(result(), "a system call has not returned yet");
    scene.sample.has_syscall = false; /* of a core */
    regs_set(&scene.regs[0].regs, 0, (uint64_t)-512);
    assert_string_equal(result(), "a system call has not returned yet");
    scene.frames[0].trust = TRUST_EH_FRAME; /* what a signal has interrupted is restarted first */
    assert_string_equal(result(), "");
}
