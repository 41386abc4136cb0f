/* SPDX-License-Identifier: MIT */
/* Values, and the state made of them: arithmetic, the frame area, what two states agree on. */
#include "value_fixture.h"

TEST(value_entry_state_is_the_abis)
{
    struct state s = entry();

    for (unsigned reg = 0; reg < RIP; reg++)
        assert_entry(&s.regs[reg], reg, 0);
    assert_unknown(&s.regs[RIP]);
    assert_entry(stack_word(&s, 0), RIP, 0);
    assert_null(stack_word(&s, -8));
    state_init_entry(&s, arch_get(ARCH_AARCH64)); /* calls push nothing there */
    assert_int_equal(s.slot_count, 0);
}

TEST(value_pushed_registers_come_back)
{
    struct state s = entry();

    push(&s, RBX);
    push(&s, RBP);
    assert_entry(&s.regs[RSP], RSP, -16);
    run(&s, CONST(RBX, 7));
    run(&s, CLOBBER(1u << RBP));
    assert_entry(stack_word(&s, -8), RBX, 0);
    run(&s, LOAD(RBP, RSP, 0));
    run(&s, LOAD(RBX, RSP, 8));
    assert_entry(&s.regs[RBX], RBX, 0);
    assert_entry(&s.regs[RBP], RBP, 0);
}

TEST(value_store_forgets_what_it_overlaps)
{
    static const struct {
        int64_t off;
        uint16_t size;
        bool kept;
    } cases[] = {
        {-8, 8, false}, {-16, 8, true},     {0, 8, true},      {-9, 1, true},   {-8, 1, false},
        {-1, 1, false}, {0, 1, true},       {-12, 8, false},   {-72, 64, true}, {-71, 64, false},
        {-4, 4, false}, {-512, 505, false}, {-520, 512, true},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct state s = entry();

        run(&s, STORE(RSP, -8, RBX));
        run(&s, (struct op){.kind = OP_STORE,
                            .dst = RSP,
                            .imm = cases[i].off,
                            .src = REG_NONE,
                            .size = cases[i].size});
        assert_int_equal(stack_word(&s, -8) != NULL, cases[i].kept);
    }
}

TEST(value_store_at_an_unknown_address_changes_nothing)
{
    struct state s = entry();

    push(&s, RBX);
    run(&s, CLOBBER(1u << RAX));
    run(&s, STORE(RAX, 0, RBP));
    run(&s, STORE(RBP, -8, RBP)); /* an entry value, but not of SP */
    assert_entry(stack_word(&s, -8), RBX, 0);
    assert_int_equal(s.slot_count, 2);
}

TEST(value_constants_can_be_added)
{
    struct state s = entry();

    run(&s, CONST(RAX, 4096));
    run(&s, COMBINE(OP_SUB_REG, RSP, RSP, RAX));
    assert_entry(&s.regs[RSP], RSP, -4096);
    run(&s, COMBINE(OP_ADD_REG, RSP, RAX, RSP));
    assert_entry(&s.regs[RSP], RSP, 0);
    run(&s, COMBINE(OP_SUB_REG, RSP, RSP, RBX)); /* alloca */
    assert_unknown(&s.regs[RSP]);
    run(&s, ADD(RSP, RSP, 8));
    assert_unknown(&s.regs[RSP]);
}

TEST(value_difference_of_two_frame_addresses_is_constant)
{
    struct state s = entry();

    run(&s, ADD(RBP, RSP, -32));
    run(&s, ADD(RAX, RSP, -8));
    run(&s, COMBINE(OP_SUB_REG, RAX, RAX, RBP));
    assert_int_equal(s.regs[RAX].kind, VALUE_CONST);
    assert_int_equal(s.regs[RAX].k, 24);
    run(&s, COMBINE(OP_SUB_REG, RAX, RBX, RBP)); /* different registers */
    assert_unknown(&s.regs[RAX]);
    run(&s, CONST(RAX, 5));
    run(&s, COMBINE(OP_SUB_REG, RAX, RAX, RBX)); /* constant minus entry value */
    assert_unknown(&s.regs[RAX]);
}

TEST(value_aligned_sp_is_a_new_base)
{
    struct state s = entry();

    run(&s, ADD(RBP, RSP, 0));
    run(&s, ALIGN(RSP));
    assert_int_equal(s.regs[RSP].kind, VALUE_FRAME);
    assert_int_equal(s.regs[RSP].base, 100);
    push(&s, RBX);
    push(&s, RBP);
    assert_int_equal(s.regs[RSP].k, -16);
    run(&s, LOAD(RAX, RSP, 8));
    assert_entry(&s.regs[RAX], RBX, 0);
    run(&s, LOAD(RAX, RSP, 0));
    assert_entry(&s.regs[RAX], RSP, 0);
    run(&s, ADD(RSP, RBP, 0));
    assert_entry(&s.regs[RSP], RSP, 0);
    run(&s, ALIGN(RBX)); /* not a frame address: arithmetic */
    assert_unknown(&s.regs[RBX]);
}

/* What was saved above the place from which SP was rounded down is out of the new frame's reach. */
TEST(value_realigned_store_overwrites_what_it_can_reach_only)
{
    struct state s = entry();

    push(&s, RBX);               /* at -8 */
    push(&s, RBP);               /* at -16 */
    run(&s, ADD(RSP, RSP, -16)); /* -32 */
    run(&s, ALIGN(RSP));         /* -32 or less */
    run(&s, STORE(RSP, 8, RAX)); /* up to -16 */
    assert_entry(stack_word(&s, -16), RBP, 0);
    run(&s, STORE(RSP, 16, RAX)); /* up to -8 */
    assert_null(stack_word(&s, -16));
    assert_entry(stack_word(&s, -8), RBX, 0);
    run(&s, ALIGN(RSP)); /* once more, no deeper than before */
    run(&s, STORE(RSP, 16, RAX));
    assert_entry(stack_word(&s, -8), RBX, 0);
    run(&s, ADD(RSP, RSP, 16));
    run(&s, ALIGN(RSP)); /* from above: nobody knows how deep */
    run(&s, STORE(RSP, 0, RAX));
    assert_null(stack_word(&s, -8));
    assert_entry(stack_word(&s, 0), RIP, 0);
}

TEST(value_bases_do_not_mix)
{
    struct state s = entry();
    struct op align = ALIGN(RSP);

    push(&s, RBX);
    state_execute(&s, arch(), &align, 1, 1);
    run(&s, STORE(RSP, -8, RBP));
    state_execute(&s, arch(), &align, 1, 2);
    run(&s, STORE(RSP, -8, RAX)); /* -8 from another base is another place */
    assert_entry(stack_word(&s, -8), RBX, 0);
    run(&s, LOAD(RAX, RSP, -8));
    assert_entry(&s.regs[RAX], RAX, 0);
}

TEST(value_call_forgets_what_is_below_sp)
{
    struct state s = entry();

    push(&s, RBX);
    run(&s, STORE(RSP, -8, RBP)); /* in the red zone */
    assert_entry(stack_word(&s, -16), RBP, 0);
    state_drop_below_sp(&s, arch());
    assert_null(stack_word(&s, -16));
    assert_entry(stack_word(&s, -8), RBX, 0);
    assert_entry(stack_word(&s, 0), RIP, 0);
}

/* sub rsp, rax may move SP by nothing: the red zone's word can then be a callee's. */
TEST(value_red_zone_is_forgotten_when_sp_gets_another_base)
{
    struct state s = entry();

    push(&s, RBX);
    run(&s, STORE(RSP, -8, RBP));
    run(&s, CLOBBER(1u << RAX));
    run(&s, COMBINE(OP_SUB_REG, RSP, RSP, RAX));
    assert_null(stack_word(&s, -16));
    assert_entry(stack_word(&s, -8), RBX, 0);
    s = entry();
    push(&s, RBX);
    run(&s, STORE(RSP, -8, RBP));
    run(&s, ALIGN(RSP));
    assert_null(stack_word(&s, -16));
    assert_entry(stack_word(&s, -8), RBX, 0);
}

TEST(value_merge_keeps_what_both_agree_on)
{
    struct state a = entry(), b = entry();

    assert_false(state_merge(&a, &b, arch()));
    push(&a, RBX);
    push(&b, RBX);
    run(&a, STORE(RSP, -8, RBP));
    run(&b, CONST(RAX, 1));
    assert_true(state_merge(&a, &b, arch()));
    assert_entry(&a.regs[RSP], RSP, -8);
    assert_entry(stack_word(&a, -8), RBX, 0);
    assert_null(stack_word(&a, -16)); /* b does not have it */
    assert_unknown(&a.regs[RAX]);
    assert_false(state_merge(&a, &b, arch())); /* a second time changes nothing */

    push(&b, RAX);
    assert_true(state_merge(&a, &b, arch())); /* another depth */
    assert_unknown(&a.regs[RSP]);
    assert_entry(stack_word(&a, 0), RIP, 0);
}

TEST(value_merge_of_different_words_forgets_them)
{
    struct state a = entry(), b = entry();

    push(&a, RBX);
    push(&b, RBP);
    assert_true(state_merge(&a, &b, arch()));
    assert_null(stack_word(&a, -8));
    assert_entry(&a.regs[RSP], RSP, -8);
}

/* The return address is in RBX by one way, on the stack by the other: no row tells of both. */
TEST(value_merge_of_different_links_forgets_the_frame)
{
    struct state a = entry(), b = entry();

    b.link = RBX;
    assert_true(state_merge(&a, &b, arch()));
    assert_unknown(&a.regs[RSP]);
    assert_unknown(&a.regs[RBP]);
    assert_entry(&a.regs[RBX], RBX, 0);
    assert_false(state_merge(&a, &b, arch()));
}

TEST(value_more_words_than_there_is_room_for_are_unknown)
{
    struct state s = entry();

    for (int i = 1; i <= STATE_SLOTS_MAX + 5; i++)
        run(&s, STORE(RSP, -8 * i, RBX));
    assert_int_equal(s.slot_count, STATE_SLOTS_MAX);
    assert_entry(stack_word(&s, 0), RIP, 0);
    assert_null(stack_word(&s, -8 * (STATE_SLOTS_MAX + 5)));
}

TEST(value_extreme_constants_wrap_like_the_machines)
{
    static const int64_t extremes[] = {INT64_MAX, INT64_MIN, INT64_MIN + 1, -1, 1};

    for (size_t i = 0; i < sizeof(extremes) / sizeof(extremes[0]); i++)
        for (size_t j = 0; j < sizeof(extremes) / sizeof(extremes[0]); j++) {
            struct state s = entry();

            push(&s, RBX);
            run(&s, ADD(RSP, RSP, extremes[i]));
            run(&s, STORE(RSP, extremes[j], RBP));
            run(&s, STORE(RSP, 0, RAX));
            run(&s, CONST(RAX, extremes[j]));
            run(&s, COMBINE(OP_SUB_REG, RSP, RSP, RAX));
            state_drop_below_sp(&s, arch());
            run(&s, COMBINE(OP_ADD_REG, RSP, RSP, RAX));
            run(&s, ADD(RSP, RSP, (int64_t)(0 - (uint64_t)extremes[i])));
            assert_entry(&s.regs[RSP], RSP, -8);
        }
}

#define INSERT(to, at, bits)                                                                       \
    ((struct op){.kind = OP_INSERT, .dst = to, .shift = at, .imm = (int64_t)(bits)})
/* dst = a + (b << shift), b's low `size` bytes sign-extended */
/* add x3, sp, w0, uxtw */
TEST(value_zero_extended_addend_loses_its_upper_half)
{
    struct state s = entry();

    run(&s, CONST(RAX, INT64_C(-16)));
    run(&s, add_scaled(RBX, RSP, RAX, 0, 4 | OP_UNSIGNED));
    assert_entry(&s.regs[RBX], RSP, UINT32_MAX - 15);
    run(&s, CONST(RAX, 16));
    run(&s, add_scaled(RBX, RAX, RSP, 0, 4 | OP_UNSIGNED)); /* half an address */
    assert_unknown(&s.regs[RBX]);
    run(&s, ELEMENT(RBX, REG_NONE, 0x1000, 4, true));
    run(&s, add_scaled(RBX, RAX, RBX, 0, 4 | OP_UNSIGNED));
    assert_unknown(&s.regs[RBX]);
    run(&s, ELEMENT(RBX, REG_NONE, 0x1000, 2, false));
    run(&s, add_scaled(RBX, RAX, RBX, 0, 4 | OP_UNSIGNED));
    assert_int_equal(s.regs[RBX].kind, VALUE_TABLE);
}

TEST(value_literal_that_nobody_read_is_unknown)
{
    struct state s = entry();

    run(&s, (struct op){.kind = OP_LITERAL, .dst = RAX, .imm = 0x402000});
    assert_unknown(&s.regs[RAX]);
}

TEST(value_insert_changes_16_bits_of_a_constant)
{
    struct state s = entry();

    run(&s, CONST(RAX, 0x1234));
    run(&s, INSERT(RAX, 16, 0x5678));
    assert_const(&s.regs[RAX], 0x56781234);
    run(&s, INSERT(RAX, 16, 0xf00d));
    assert_const(&s.regs[RAX], 0xf00d1234);
    run(&s, INSERT(RAX, 48, 0xffff));
    run(&s, INSERT(RAX, 0, 1));
    assert_const(&s.regs[RAX], 0xffff0000f00d0001);
}

TEST(value_insert_into_what_is_no_constant_is_unknown)
{
    struct state s = entry();

    run(&s, INSERT(RBX, 16, 1));
    assert_unknown(&s.regs[RBX]);
    run(&s, INSERT(RBX, 0, 1));
    assert_unknown(&s.regs[RBX]);
}

TEST(value_added_constant_is_shifted_and_extended)
{
    static const struct {
        uint64_t constant;
        uint8_t shift;
        uint16_t size;
        int64_t sum;
    } cases[] = {
        {3, 0, 0, 3},
        {3, 3, 0, 24},
        {0x17f, 0, 1, 127},
        {0xff, 2, 1, -4},
        {0x18000, 0, 2, -32768},
        {0x7fff, 1, 2, 65534},
        {0xffffffff, 4, 4, -16},
        {0xffffffff, 0, 0, 0xffffffff},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct state s = entry();

        run(&s, CONST(RAX, (int64_t)cases[i].constant));
        run(&s, add_scaled(RBX, RSP, RAX, cases[i].shift, cases[i].size));
        assert_entry(&s.regs[RBX], RSP, cases[i].sum);
    }
}

TEST(value_scaled_entry_value_is_unknown)
{
    struct state s = entry();

    run(&s, CONST(RAX, 8));
    run(&s, add_scaled(RBX, RAX, RSP, 1, 0));
    assert_unknown(&s.regs[RBX]);
    run(&s, add_scaled(RBX, RAX, RSP, 0, 4));
    assert_unknown(&s.regs[RBX]);
    run(&s, add_scaled(RBX, RAX, RSP, 0, 0));
    assert_entry(&s.regs[RBX], RSP, 8);
}

TEST(value_comparisons_change_nothing)
{
    struct state s = entry(), before = entry();

    run(&s, (struct op){.kind = OP_COMPARE, .src = RAX, .imm = 3});
    run(&s, (struct op){.kind = OP_COMPARE_REG, .src = RAX, .src2 = RBX});
    assert_false(state_merge(&s, &before, arch()));
}

/* Of 32-bit machines: constants are unsigned, distances in the frame signed. */
TEST(value_32_bit_arithmetic_wraps)
{
    enum { EAX = 0, EBX = 3, ESP = 4 };
    const struct arch *i386 = arch_get(ARCH_I386);
    const struct op ops[] = {
        CONST(EAX, -8),   COMBINE(OP_ADD_REG, ESP, ESP, EAX), CONST(EBX, 0x7fffffff),
        ADD(EBX, EBX, 1), COMBINE(OP_ADD_REG, EAX, EAX, EBX), ADD(EBX, EBX, 0x80000000),
    };
    struct state s;

    state_init_entry(&s, i386);
    state_execute(&s, i386, ops, 1, 0);
    assert_const(&s.regs[EAX], 0xfffffff8);
    state_execute(&s, i386, ops + 1, 1, 0);
    assert_entry(&s.regs[ESP], ESP, -8);
    state_execute(&s, i386, ops + 2, 2, 0);
    assert_const(&s.regs[EBX], 0x80000000);
    state_execute(&s, i386, ops + 4, 2, 0);
    assert_const(&s.regs[EAX], 0x7ffffff8);
    assert_const(&s.regs[EBX], 0);
}

TEST(value_32_bit_distance_of_frame_addresses_is_a_word)
{
    enum { EAX = 0, EBX = 3, ESP = 4 };
    const struct arch *i386 = arch_get(ARCH_I386);
    const struct op ops[] = {ADD(EBX, ESP, 16), COMBINE(OP_SUB_REG, EAX, ESP, EBX),
                             COMBINE(OP_ADD_REG, ESP, EBX, EAX)};
    struct state s;

    state_init_entry(&s, i386);
    state_execute(&s, i386, ops, 3, 0);
    assert_const(&s.regs[EAX], 0xfffffff0);
    assert_entry(&s.regs[ESP], ESP, 0);
}

TEST(value_unknown_equals_unknown_only)
{
    const struct value values[] = {
        {.kind = VALUE_UNKNOWN},
        {.kind = VALUE_CONST, .k = 1},
        {.kind = VALUE_CONST, .k = 2},
        {.kind = VALUE_ENTRY, .reg = RBX, .k = 1},
        {.kind = VALUE_ENTRY, .reg = RBP, .k = 1},
        {.kind = VALUE_FRAME, .base = 4, .k = 1},
        {.kind = VALUE_FRAME, .base = 5, .k = 1},
        {.kind = VALUE_ELEMENT, .size = 4, .k = 1},
        {.kind = VALUE_ELEMENT, .size = 8, .k = 1},
        {.kind = VALUE_ELEMENT, .size = 4, .shift = VALUE_SIGNED, .k = 1},
        {.kind = VALUE_ELEMENT, .size = 4, .k = 2},
        {.kind = VALUE_TABLE, .size = 4, .k = 1},
        {.kind = VALUE_TABLE, .size = 4, .k = 1, .base = 1},
        {.kind = VALUE_TABLE, .size = 4, .k = 1, .shift = 2},
        {.kind = VALUE_STRIDE, .size = 4, .k = 1},
        {.kind = VALUE_STRIDE, .size = 8, .k = 1},
    };

    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
        for (size_t j = 0; j < sizeof(values) / sizeof(values[0]); j++)
            assert_int_equal(value_equal(&values[i], &values[j]), i == j);
}
