/* SPDX-License-Identifier: MIT */
/* Values that jump tables are made of. */
#include "value_fixture.h"

TEST(value_element_is_of_the_table_at_a_constant)
{
    struct state s = entry();

    run(&s, CONST(RAX, 0x402000));
    run(&s, ELEMENT(RBX, RAX, 16, 4, 1));
    assert_int_equal(s.regs[RBX].kind, VALUE_ELEMENT);
    assert_int_equal(s.regs[RBX].k, 0x402010);
    assert_int_equal(s.regs[RBX].size, 4);
    assert_int_equal(s.regs[RBX].shift, VALUE_SIGNED);
    run(&s, ELEMENT(RBX, REG_NONE, 0x403000, 8, 0));
    assert_int_equal(s.regs[RBX].k, 0x403000);
    assert_int_equal(s.regs[RBX].shift, 0);
    run(&s, ELEMENT(RAX, RAX, 0, 8, 0)); /* the register itself may be overwritten */
    assert_int_equal(s.regs[RAX].k, 0x402000);
}

TEST(value_element_of_a_table_nobody_knows_is_unknown)
{
    struct state s = entry();

    run(&s, ELEMENT(RAX, RBX, 16, 4, 0));
    assert_unknown(&s.regs[RAX]);
    run(&s, ELEMENT(RAX, RSP, 16, 4, 0)); /* an array in the frame */
    assert_unknown(&s.regs[RAX]);
    run(&s, ELEMENT(RAX, RAX, 16, 4, 0));
    assert_unknown(&s.regs[RAX]);
}

static void assert_table(const struct value *value, int64_t k, int32_t base, unsigned shift)
{
    assert_int_equal(value->kind, VALUE_TABLE);
    assert_true(value->k == k);
    assert_int_equal((int32_t)value->base, base);
    assert_int_equal(value->shift, shift);
}

TEST(value_element_and_base_are_where_a_table_leads)
{
    struct state s = entry();

    run(&s, CONST(RAX, 0x402000));
    run(&s, CONST(RBX, 0x401f00));
    run(&s, ELEMENT(RBP, RAX, 0, 4, 1));
    run(&s, COMBINE(OP_ADD_REG, RIP, RBP, RAX)); /* in either order */
    assert_table(&s.regs[RIP], 0x402000, 0, VALUE_SIGNED);
    run(&s, COMBINE(OP_ADD_REG, RIP, RAX, RBP));
    assert_table(&s.regs[RIP], 0x402000, 0, VALUE_SIGNED);
    run(&s, COMBINE(OP_ADD_REG, RIP, RBX, RBP));
    assert_table(&s.regs[RIP], 0x402000, -0x100, VALUE_SIGNED);
    run(&s, ELEMENT(RBP, RAX, 0, 1, 0));
    run(&s, add_scaled(RIP, RBX, RBP, 2, 0));
    assert_table(&s.regs[RIP], 0x402000, -0x100, 2);
    run(&s, add_scaled(RIP, RBX, RBP, 2, 1)); /* sxtb #2 of a byte */
    assert_table(&s.regs[RIP], 0x402000, -0x100, 2 | VALUE_SIGNED);
}

TEST(value_scaled_base_is_no_table)
{
    struct state s = entry();

    run(&s, CONST(RAX, 0x402000));
    run(&s, ELEMENT(RBP, RAX, 0, 4, 1));
    run(&s, add_scaled(RIP, RBP, RAX, 1, 0));
    assert_unknown(&s.regs[RIP]);
}

TEST(value_table_too_far_from_its_base_is_unknown)
{
    struct state s = entry();

    run(&s, CONST(RAX, 0x402000));
    run(&s, CONST(RBX, INT64_C(0x500402000)));
    run(&s, ELEMENT(RBP, RAX, 0, 4, 1));
    run(&s, COMBINE(OP_ADD_REG, RIP, RBX, RBP));
    assert_unknown(&s.regs[RIP]);
}

TEST(value_element_and_entry_value_make_no_table)
{
    struct state s = entry();

    run(&s, CONST(RAX, 0x402000));
    run(&s, ELEMENT(RBP, RAX, 0, 4, 1));
    run(&s, COMBINE(OP_ADD_REG, RIP, RBP, RSP));
    assert_unknown(&s.regs[RIP]);
    run(&s, COMBINE(OP_ADD_REG, RIP, RSP, RBP));
    assert_unknown(&s.regs[RIP]);
    run(&s, COMBINE(OP_SUB_REG, RIP, RAX, RBP));
    assert_unknown(&s.regs[RIP]);
}

TEST(value_stride_is_a_table_of_branches)
{
    struct state s = entry();

    run(&s, (struct op){.kind = OP_STRIDE, .dst = RIP, .imm = 0x401010, .size = 4});
    assert_int_equal(s.regs[RIP].kind, VALUE_STRIDE);
    assert_int_equal(s.regs[RIP].k, 0x401010);
    assert_int_equal(s.regs[RIP].size, 4);
    run(&s, ADD(RIP, RIP, 4));
    assert_int_equal(s.regs[RIP].k, 0x401014);
}

TEST(value_word_where_an_index_leads_is_an_element)
{
    struct state s = entry();

    run(&s, (struct op){.kind = OP_CONST, .dst = RBX, .imm = 0x401010});
    run(&s, (struct op){.kind = OP_CLOBBER, .mask = 1u << RAX});
    run(&s, (struct op){.kind = OP_ADD_REG, .dst = RBP, .src = RBX, .src2 = RAX, .shift = 2});
    assert_unknown(&s.regs[RBP]);
    run(&s, (struct op){.kind = OP_ADD_REG, .dst = RBP, .src = RBX, .src2 = RAX, .shift = 3});
    run(&s, (struct op){.kind = OP_LOAD, .dst = RBP, .src = RBP, .imm = 24});
    assert_int_equal(s.regs[RBP].kind, VALUE_ELEMENT);
    assert_int_equal(s.regs[RBP].k, 0x401028);
    assert_int_equal(s.regs[RBP].size, 8);
    run(&s, (struct op){.kind = OP_LOAD, .dst = RBP, .src = RBP});
    assert_unknown(&s.regs[RBP]);
}

TEST(value_thumb_bit_is_set_in_constants_and_elements)
{
    struct state s = entry();

    run(&s, (struct op){.kind = OP_CONST, .dst = RAX, .imm = 0x401010});
    run(&s, (struct op){.kind = OP_THUMB, .dst = RAX, .src = RAX});
    assert_int_equal(s.regs[RAX].k, 0x401011);
    run(&s,
        (struct op){.kind = OP_ELEMENT, .dst = RAX, .src = REG_NONE, .imm = 0x401010, .size = 8});
    run(&s, (struct op){.kind = OP_THUMB, .dst = RBP, .src = RAX});
    assert_int_equal(s.regs[RBP].kind, VALUE_ELEMENT);
    assert_false(value_equal(&s.regs[RBP], &s.regs[RAX]));
    run(&s, (struct op){.kind = OP_THUMB, .dst = RBP, .src = RSP});
    assert_unknown(&s.regs[RBP]);
}

TEST(value_tables_are_not_kept_in_the_frame)
{
    struct state s = entry();

    push(&s, RBX);
    run(&s, CONST(RAX, 0x402000));
    run(&s, ELEMENT(RBP, RAX, 0, 8, 0));
    run(&s, STORE(RSP, 0, RBP));
    assert_null(stack_word(&s, -8));
}

TEST(value_merge_of_different_tables_is_unknown)
{
    struct state a = entry(), b = entry();

    run(&a, ELEMENT(RAX, REG_NONE, 0x402000, 4, 1));
    run(&b, ELEMENT(RAX, REG_NONE, 0x402000, 4, 1));
    assert_false(state_merge(&a, &b, arch()));
    run(&b, ELEMENT(RAX, REG_NONE, 0x402000, 4, 0));
    assert_true(state_merge(&a, &b, arch()));
    assert_unknown(&a.regs[RAX]);
}
