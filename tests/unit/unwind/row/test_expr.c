/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "unit_test.h"
#include "unwind/row/expr.h"

#define STACK UINT64_C(0x7000)

/*
 * Registers: rbx 0x7008, rsp 0x7000, rip unknown. Stack: the words 0x1111, 0x7010,
 * 0x8877665544332211, -1.
 */
struct setting {
    uint64_t words[4];
    struct snap_region region;
    struct memory memory;
    struct regs regs;
    struct expr_context context;
};

static void init(struct setting *s, enum arch_id arch)
{
    *s = (struct setting){.words = {0x1111, 0x7010, UINT64_C(0x8877665544332211), UINT64_MAX}};
    s->region = (struct snap_region){.start_addr = STACK,
                                     .end_addr = STACK + sizeof(s->words),
                                     .map_end_addr = STACK + sizeof(s->words),
                                     .bytes = (const uint8_t *)s->words};
    s->memory = (struct memory){.regions = &s->region, .count = 1};
    regs_set(&s->regs, 3, STACK + 8);
    regs_set(&s->regs, 7, STACK);
    s->context = (struct expr_context){.arch = arch_get(arch),
                                       .regs = &s->regs,
                                       .memory = &s->memory,
                                       .bias = 0x100000};
}

struct code {
    uint8_t bytes[160];
    size_t size;
};

#define CODE(...) ((struct code){.bytes = {__VA_ARGS__}, .size = sizeof((uint8_t[]){__VA_ARGS__})})

static enum status evaluate(enum arch_id arch, struct code code, uint64_t *out)
{
    struct setting s;

    init(&s, arch);
    return expr_evaluate(&s.context, code.bytes, code.size, NULL, out);
}

static void expect(struct code code, uint64_t value)
{
    uint64_t out = 0;

    assert_int_equal(evaluate(ARCH_X86_64, code, &out), STATUS_OK);
    assert_true(out == value);
}

static void expect_32(struct code code, uint64_t value)
{
    uint64_t out = 0;

    assert_int_equal(evaluate(ARCH_I386, code, &out), STATUS_OK);
    assert_true(out == value);
}

static void expect_failure(struct code code, enum status status)
{
    uint64_t out;

    assert_int_equal(evaluate(ARCH_X86_64, code, &out), status);
}

TEST(expr_constants_are_pushed)
{
    expect(CODE(0x30), 0);
    expect(CODE(0x4f), 31);
    expect(CODE(0x08, 0xff), 0xff);
    expect(CODE(0x09, 0xff), UINT64_MAX);
    expect(CODE(0x0a, 0xfe, 0xff), 0xfffe);
    expect(CODE(0x0b, 0xfe, 0xff), (uint64_t)-2);
    expect(CODE(0x0c, 0xfe, 0xff, 0xff, 0xff), 0xfffffffe);
    expect(CODE(0x0d, 0xfe, 0xff, 0xff, 0xff), (uint64_t)-2);
    expect(CODE(0x0e, 1, 2, 3, 4, 5, 6, 7, 8), UINT64_C(0x0807060504030201));
    expect(CODE(0x0f, 1, 0, 0, 0, 0, 0, 0, 0x80), UINT64_C(0x8000000000000001));
    expect(CODE(0x10, 0xe5, 0x8e, 0x26), 624485);
    expect(CODE(0x11, 0x80, 0x7f), (uint64_t)-128);
}

TEST(expr_address_is_moved_by_the_bias)
{
    expect(CODE(0x03, 0x34, 0x12, 0, 0, 0, 0, 0, 0), 0x101234);
    expect_32(CODE(0x03, 0x34, 0x12, 0, 0), 0x101234);
    expect_32(CODE(0x03, 0, 0, 0xf0, 0xff), 0);
}

TEST(expr_registers_need_to_be_known)
{
    expect(CODE(0x77, 8), STACK + 8);
    expect(CODE(0x73, 0x78), STACK);
    expect(CODE(0x92, 7, 0x10), STACK + 16);
    expect_failure(CODE(0x80, 0), STATUS_FAULT);          /* rip */
    expect_failure(CODE(0x92, 0xff, 1, 0), STATUS_FAULT); /* register 255 */
    expect_failure(CODE(0x92, 0x80, 0x80, 0x80, 0x80, 0x10, 0), STATUS_FAULT);
}

TEST(expr_memory_is_read_where_it_was_captured)
{
    expect(CODE(0x77, 0, 0x06), 0x1111);
    expect(CODE(0x77, 8, 0x06, 0x06), UINT64_C(0x8877665544332211)); /* through a pointer */
    expect(CODE(0x77, 16, 0x94, 1), 0x11);
    expect(CODE(0x77, 16, 0x94, 2), 0x2211);
    expect(CODE(0x77, 16, 0x94, 4), 0x44332211);
    expect(CODE(0x77, 24, 0x06), UINT64_MAX);
    expect_failure(CODE(0x77, 25, 0x06), STATUS_FAULT); /* the last byte is behind the end */
    expect_failure(CODE(0x77, 32, 0x94, 1), STATUS_FAULT);
    expect_failure(CODE(0x09, 0xff, 0x06), STATUS_FAULT); /* the last byte of the address space */
    expect_failure(CODE(0x77, 0, 0x94, 0), STATUS_BAD_DATA);
    expect_failure(CODE(0x77, 0, 0x94, 9), STATUS_BAD_DATA);
    expect_failure(CODE(0x06), STATUS_BAD_DATA);
}

TEST(expr_stack_operations_reorder)
{
    expect(CODE(0x31, 0x12, 0x22), 2);          /* dup plus */
    expect(CODE(0x31, 0x32, 0x13), 1);          /* drop */
    expect(CODE(0x31, 0x32, 0x14), 1);          /* over */
    expect(CODE(0x31, 0x32, 0x33, 0x15, 2), 1); /* pick */
    expect(CODE(0x31, 0x32, 0x33, 0x15, 0), 3); /* pick */
    expect(CODE(0x31, 0x32, 0x16), 1);          /* swap */
    /* rot: 1 2 3 (3 on top) becomes 3 1 2 */
    expect(CODE(0x31, 0x32, 0x33, 0x17), 2);
    expect(CODE(0x31, 0x32, 0x33, 0x17, 0x13), 1);
    expect(CODE(0x31, 0x32, 0x33, 0x17, 0x13, 0x13), 3);
    expect(CODE(0x35, 0x96), 5); /* nop */
}

TEST(expr_stack_underflow_is_bad)
{
    static const struct code codes[] = {
        {{0x12}, 1},          {{0x13}, 1},       {{0x31, 0x14}, 2},
        {{0x31, 0x15, 1}, 3}, {{0x31, 0x16}, 2}, {{0x31, 0x32, 0x17}, 3},
        {{0x31, 0x22}, 2},    {{0x1f}, 1},       {{0x19}, 1},
        {{0x20}, 1},          {{0x23, 1}, 2},    {{0x28, 0, 0}, 3},
        {{0x31, 0x13}, 2},    {{0}, 0},
    };

    for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
        expect_failure(codes[i], STATUS_BAD_DATA);
}

TEST(expr_arithmetic_is_that_of_the_machine)
{
    expect(CODE(0x3f, 0x3a, 0x1a), 10);                 /* 15 & 10 */
    expect(CODE(0x35, 0x3a, 0x21), 15);                 /* 5 | 10 */
    expect(CODE(0x3f, 0x3a, 0x27), 5);                  /* 15 ^ 10 */
    expect(CODE(0x32, 0x33, 0x22), 5);                  /* 2 + 3 */
    expect(CODE(0x32, 0x33, 0x1c), UINT64_MAX);         /* 2 - 3 */
    expect(CODE(0x37, 0x36, 0x1e), 42);                 /* 7 × 6 */
    expect(CODE(0x09, 0xf9, 0x32, 0x1b), (uint64_t)-3); /* -7 / 2, signed */
    expect(CODE(0x37, 0x35, 0x1d), 2);                  /* 7 mod 5 */
    expect(CODE(0x31, 0x1f), UINT64_MAX);               /* neg */
    expect(CODE(0x09, 0xfb, 0x19), 5);                  /* abs -5 */
    expect(CODE(0x35, 0x19), 5);
    expect(CODE(0x30, 0x20), UINT64_MAX);               /* not */
    expect(CODE(0x31, 0x23, 0x80, 1), 129);             /* plus_uconst */
    expect(CODE(0x31, 0x34, 0x24), 16);                 /* 1 << 4 */
    expect(CODE(0x09, 0xff, 0x08, 60, 0x25), 15);       /* logical shift */
    expect(CODE(0x09, 0xf0, 0x32, 0x26), (uint64_t)-4); /* arithmetic shift */
}

TEST(expr_extreme_operands_are_defined)
{
    /* The smallest signed number, by 1 << 63. */
    expect(CODE(0x31, 0x08, 63, 0x24, 0x09, 0xff, 0x1b), UINT64_C(1) << 63); /* / -1 wraps */
    expect(CODE(0x31, 0x08, 63, 0x24, 0x1f), UINT64_C(1) << 63);             /* neg */
    expect(CODE(0x31, 0x08, 63, 0x24, 0x19), UINT64_C(1) << 63);             /* abs */
    expect(CODE(0x31, 0x08, 64, 0x24), 0);
    expect(CODE(0x31, 0x09, 0xff, 0x24), 0);
    expect(CODE(0x09, 0xff, 0x08, 64, 0x25), 0);
    expect(CODE(0x09, 0x80, 0x08, 64, 0x26), UINT64_MAX);
    expect(CODE(0x35, 0x08, 200, 0x26), 0);
    expect_failure(CODE(0x31, 0x30, 0x1b), STATUS_BAD_DATA); /* / 0 */
    expect_failure(CODE(0x31, 0x30, 0x1d), STATUS_BAD_DATA);
}

TEST(expr_comparisons_are_signed)
{
    expect(CODE(0x09, 0xff, 0x31, 0x2d), 1); /* -1 < 1 */
    expect(CODE(0x09, 0xff, 0x31, 0x2c), 1); /* <= */
    expect(CODE(0x09, 0xff, 0x31, 0x2b), 0); /* > */
    expect(CODE(0x31, 0x31, 0x2a), 1);       /* >= */
    expect(CODE(0x31, 0x31, 0x29), 1);       /* == */
    expect(CODE(0x31, 0x31, 0x2e), 0);       /* != */
}

TEST(expr_32_bit_targets_wrap_at_32_bits)
{
    expect_32(CODE(0x09, 0xff), 0xffffffff);
    expect_32(CODE(0x09, 0xff, 0x31, 0x22), 0);
    expect_32(CODE(0x09, 0xff, 0x31, 0x2d), 1);          /* -1 < 1 still */
    expect_32(CODE(0x09, 0xf0, 0x32, 0x26), 0xfffffffc); /* shra */
    expect_32(CODE(0x31, 0x08, 31, 0x24, 0x09, 0xff, 0x1b), UINT64_C(1) << 31);
}

TEST(expr_branches_go_both_ways)
{
    expect(CODE(0x2f, 1, 0, 0x35, 0x36), 6);       /* skip over lit5 */
    expect(CODE(0x35, 0x31, 0x28, 1, 0, 0x36), 5); /* bra taken, to the end */
    expect(CODE(0x35, 0x30, 0x28, 1, 0, 0x36), 6); /* bra not taken */
    /* A loop that counts down from 5: lit5; lit1 minus; dup; bra -6 */
    expect(CODE(0x35, 0x31, 0x1c, 0x12, 0x28, 0xfa, 0xff), 0);
    expect_failure(CODE(0x2f, 0xfc, 0xff), STATUS_BAD_DATA); /* before the beginning */
    expect_failure(CODE(0x2f, 1, 0), STATUS_BAD_DATA);       /* behind the end */
    expect_failure(CODE(0x2f, 0), STATUS_BAD_DATA);
}

TEST(expr_endless_ones_end)
{
    struct code deep = {.size = EXPR_STACK_MAX};

    expect_failure(CODE(0x2f, 0xfd, 0xff), STATUS_BAD_DATA);
    expect_failure(CODE(0x31, 0x2f, 0xfc, 0xff), STATUS_BAD_DATA);
    memset(deep.bytes, 0x31, sizeof(deep.bytes));
    expect(deep, 1);
    deep.size++;
    expect_failure(deep, STATUS_BAD_DATA);
}

TEST(expr_initial_value_is_pushed_first)
{
    static const uint8_t plus_8[] = {0x23, 8};
    uint64_t initial = 100, out;
    struct setting s;

    init(&s, ARCH_X86_64);
    assert_int_equal(expr_evaluate(&s.context, plus_8, 2, &initial, &out), STATUS_OK);
    assert_int_equal(out, 108);
    assert_int_equal(expr_evaluate(&s.context, plus_8, 0, &initial, &out), STATUS_OK);
    assert_int_equal(out, 100);
}

TEST(expr_cut_operands_are_bad)
{
    static const struct code codes[] = {
        {{0x03, 1, 2, 3}, 4}, {{0x08}, 1},       {{0x0a, 1}, 2},       {{0x0c, 1, 2, 3}, 4},
        {{0x0e, 1}, 2},       {{0x10, 0x80}, 2}, {{0x11}, 1},          {{0x77}, 1},
        {{0x92, 7}, 2},       {{0x92}, 1},       {{0x31, 0x15}, 2},    {{0x31, 0x23}, 2},
        {{0x77, 0, 0x94}, 3}, {{0x2f}, 1},       {{0x31, 0x28, 0}, 3},
    };

    for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
        expect_failure(codes[i], STATUS_BAD_DATA);
}

TEST(expr_other_operations_are_unsupported)
{
    expect_failure(CODE(0x50), STATUS_UNSUPPORTED);       /* reg0: a location, not a value */
    expect_failure(CODE(0x91, 0), STATUS_UNSUPPORTED);    /* fbreg */
    expect_failure(CODE(0x98, 0, 0), STATUS_UNSUPPORTED); /* call2 */
    expect_failure(CODE(0x9c), STATUS_UNSUPPORTED);       /* call_frame_cfa */
    expect_failure(CODE(0x31, 0x9f), STATUS_UNSUPPORTED); /* stack_value */
    expect_failure(CODE(0xff), STATUS_UNSUPPORTED);
}

/* The expression of every PLT: CFA = rsp + 8 + ((rip & 15) >= 11) × 8. */
TEST(expr_of_a_plt_follows_the_pc)
{
    static const uint8_t plt[] = {0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22};
    struct setting s;
    uint64_t out;

    init(&s, ARCH_X86_64);
    for (uint64_t pc = 0x1000; pc < 0x1010; pc++) {
        regs_set(&s.regs, 16, pc);
        assert_int_equal(expr_evaluate(&s.context, plt, sizeof(plt), NULL, &out), STATUS_OK);
        assert_int_equal(out, STACK + (pc % 16 >= 11 ? 16 : 8));
    }
}

/* DWARF's 32 is f0 there, ours pc. */
TEST(expr_register_of_dwarfs_that_is_not_ours_is_not_known)
{
    struct setting s;
    uint64_t out;

    init(&s, ARCH_RISCV64);
    regs_set(&s.regs, s.context.arch->pc, 0x1234);
    assert_int_equal(expr_evaluate(&s.context, (const uint8_t[]){0x92, 32, 0}, 3, NULL, &out),
                     STATUS_FAULT); /* bregx */
    init(&s, ARCH_AARCH64);
    regs_set(&s.regs, s.context.arch->pc, 0x1234);
    assert_int_equal(expr_evaluate(&s.context, (const uint8_t[]){0x92, 32, 4}, 3, NULL, &out),
                     STATUS_OK);
    assert_int_equal(out, 0x1238);
}
