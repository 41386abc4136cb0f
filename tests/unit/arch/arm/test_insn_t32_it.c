/* SPDX-License-Identifier: MIT */
/* IT blocks: instructions whose condition is in another one before them. */
#include "insn_arm_fixture.h"

static const struct insn_set *set(void)
{
    return insn_set_for(arch_get(ARCH_ARM), CODE_T32);
}

/* ittee eq; mov r0, r1 four times; then one that is always executed. */
TEST(insn_it_block_gives_its_instructions_predicates)
{
    static const uint8_t predicates[] = {1, 1, 2, 2, 0};
    struct decoder *d = decoder();
    struct insn insn = decode_one(d, "\x07\xbf", 2, VADDR, 0);

    assert_int_equal(insn.size, 2);
    assert_int_equal(insn.predicate, 0);
    assert_int_equal(insn.op_count, 0);
    for (size_t i = 0; i < sizeof(predicates); i++) {
        insn = decode_one(d, "\x08\x46", 2, VADDR, insn.next_context);
        assert_int_equal(insn.predicate, predicates[i]);
        assert_int_equal(insn.op_count, 1);
    }
    assert_int_equal(insn.next_context, 0);
    decoder_destroy(d);
}

/* it ne; 4-byte instructions count as one. */
TEST(insn_it_block_of_one_ends_after_one)
{
    struct decoder *d = decoder();
    struct insn insn = decode_one(d, "\x18\xbf", 2, VADDR, 0);

    insn =
        decode_one(d, "\xbd\xe8\x10\x81", 4, VADDR, insn.next_context); /* popne.w {r4, r8, pc} */
    assert_int_equal(insn.predicate, 2);
    assert_int_equal(insn.flow, FLOW_RETURN);
    assert_int_equal(insn.next_context, 0);
    decoder_destroy(d);
}

TEST(insn_jumps_in_it_blocks_are_conditional)
{
    enum { IT_EQ = 0x08, IT_AL = 0xe8 };
    struct decoder *d = decoder();
    struct insn insn = decode_one(d, "\x70\x47", 2, VADDR, IT_EQ); /* bxeq lr */

    assert_int_equal(insn.flow, FLOW_RETURN);
    assert_int_equal(insn.predicate, 1);
    insn = decode_one(d, "\x18\x47", 2, VADDR, IT_EQ); /* bxeq r3 */
    assert_int_equal(insn.flow, FLOW_INDIRECT);
    assert_int_equal(insn.predicate, 1);
    insn = decode_one(d, "\x00\xf0\x7e\xf8", 4, VADDR, IT_EQ); /* bleq */
    assert_int_equal(insn.flow, FLOW_CALL);
    assert_int_equal(insn.predicate, 1);
    insn = decode_one(d, "\x80\xe0", 2, VADDR, IT_EQ); /* beq, as b in the block */
    assert_int_equal(insn.flow, FLOW_BRANCH);
    assert_int_equal(insn.equal, EQUAL_TAKEN);
    assert_int_equal(insn.predicate, 0);
    assert_int_equal(insn.target_vaddr, 0x1104);
    insn = decode_one(d, "\x80\xe0", 2, VADDR, IT_AL); /* bal */
    assert_int_equal(insn.flow, FLOW_JUMP);
    assert_int_equal(insn.predicate, 0);
    decoder_destroy(d);
}

TEST(insn_of_16_bits_writes_no_flags_in_an_it_block)
{
    enum { IT_EQ = 0x08 };
    struct decoder *d = decoder();

    assert_true(decode_one(d, "\xc8\x1c", 2, VADDR, 0).writes_flags);      /* adds r0, r1, #3 */
    assert_false(decode_one(d, "\xc8\x1c", 2, VADDR, IT_EQ).writes_flags); /* addeq r0, r1, #3 */
    assert_false(decode_one(d, "\x00\x00", 2, VADDR, IT_EQ).writes_flags);
    assert_true(decode_one(d, "\x88\x42", 2, VADDR, IT_EQ).writes_flags);         /* cmpeq r0, r1 */
    assert_true(decode_one(d, "\x08\x42", 2, VADDR, IT_EQ).writes_flags);         /* tsteq r0, r1 */
    assert_true(decode_one(d, "\x11\xf1\x03\x00", 4, VADDR, IT_EQ).writes_flags); /* addseq.w */
    assert_false(decode_one(d, "\x01\xf1\x03\x00", 4, VADDR, 0).writes_flags);    /* add.w */
    assert_true(decode_one(d, "\xf1\xee\x10\xfa", 4, VADDR, 0).writes_flags); /* vmrs APSR_nzcv */
    assert_true(decode_one(d, "\x98\x47", 2, VADDR, 0).writes_flags);         /* blx r3 */
    decoder_destroy(d);
}
