/* SPDX-License-Identifier: MIT */
#include "insn_a64_fixture.h"
#include "arch/analysis/capstone_decoder.h"

/* The general registers that Capstone says are written. */
static uint64_t capstone_written(struct decoder *d)
{
    cs_regs read, written;
    uint8_t read_count, written_count;
    uint64_t mask = 0;

    assert_true(capstone_regs(d, read, &read_count, written, &written_count));
    for (uint8_t i = 0; i < written_count; i++) {
        unsigned reg = written[i];

        if (reg >= ARM64_REG_X0 && reg <= ARM64_REG_X28)
            mask |= UINT64_C(1) << (reg - ARM64_REG_X0);
        else if (reg >= ARM64_REG_W0 && reg <= ARM64_REG_W30)
            mask |= UINT64_C(1) << (reg - ARM64_REG_W0);
        else if (reg == ARM64_REG_X29 || reg == ARM64_REG_X30)
            mask |= UINT64_C(1) << (reg == ARM64_REG_X29 ? X29 : X30);
        else if (reg == ARM64_REG_SP || reg == ARM64_REG_WSP)
            mask |= UINT64_C(1) << SP;
    }
    return mask;
}

/* What is decoded without asking Capstone, with all operands: Capstone agrees. */
TEST(insn_shortcuts_are_what_capstone_says)
{
    static const struct {
        uint32_t fixed, value;
    } groups[] = {
        {0xffc00000, 0xb9400000}, {0xffc00000, 0x39400000}, {0xffc00000, 0x79400000},
        {0x3fe00800, 0x1a800000}, {0x7fe00000, 0x1b000000}, {0xff800000, 0x11000000},
        {0xff800000, 0x51000000}, {0xffe08000, 0x0b000000}, {0xffe08000, 0x4b000000},
        {0xffe08000, 0x0a000000}, {0xffe00000, 0x8a000000}, {0xffe08000, 0x13000000},
        {0xfc000000, 0x14000000}, {0xff000010, 0x54000000}, {0x7e000000, 0x34000000},
        {0x7e000000, 0x36000000},
    };
    struct decoder *d = decoder();
    uint32_t random = 1;

    for (size_t i = 0; i < COUNT(groups) * 2000; i++) {
        size_t group = i / 2000;
        uint8_t bytes[4];
        const uint8_t *at = bytes;
        size_t left = sizeof(bytes);
        uint64_t next = VADDR;
        uint32_t word;
        const cs_arm64 *a64;
        struct insn insn;

        random = random * 1664525 + 1013904223;
        word = groups[group].value | ((random >> 8 ^ random << 16) & ~groups[group].fixed);
        put_word(bytes, word);
        assert_int_equal(decoder_decode(d, bytes, 4, VADDR, 0, &insn), STATUS_OK);
        if (!capstone_next(d, &at, &left, &next))
            fail_msg("%08x is no instruction", word);
        a64 = &capstone_insn(d)->detail->arm64;
        if (changed(&insn) != capstone_written(d))
            fail_msg("%08x %s %s: %llx", word, capstone_insn(d)->mnemonic, capstone_insn(d)->op_str,
                     (unsigned long long)changed(&insn));
        if (insn.has_target)
            assert_int_equal(insn.target_vaddr, a64->operands[a64->op_count - 1].imm);
        if (insn.flow == FLOW_JUMP)
            assert_true(a64->cc == ARM64_CC_INVALID || a64->cc >= ARM64_CC_AL);
        assert_int_equal(insn.equal == EQUAL_TAKEN, a64->cc == ARM64_CC_EQ && insn.has_target);
        assert_int_equal(insn.equal == EQUAL_FALLS, a64->cc == ARM64_CC_NE && insn.has_target);
        assert_false(a64->update_flags);
    }
    decoder_destroy(d);
}

TEST(insn_comparisons_write_flags)
{
    /*
     * cmp x0, x1; subs w0, w0, #1; ands x0, x1, #7; ccmp; fcmp d0, d1; ptest; cfinv; fccmp h23,
     * h26, #14, ne; rmif
     */
    static const uint32_t writers[] = {0xeb01001f, 0x71000400, 0xf2400820, 0xfa410800, 0x1e612000,
                                       0x2550c000, 0xd500401f, 0x1efa16ee, 0xba058749};
    /* sub x0, x1, x2; b.ne; csel */
    static const uint32_t others[] = {0xcb020020, 0x54000041, 0x9a820020};
    struct decoder *d = decoder();
    struct insn insn;

    for (size_t i = 0; i < COUNT(writers); i++) {
        assert_int_equal(decode_word(d, writers[i], &insn), STATUS_OK);
        assert_true(insn.writes_flags);
    }
    for (size_t i = 0; i < COUNT(others); i++) {
        assert_int_equal(decode_word(d, others[i], &insn), STATUS_OK);
        assert_false(insn.writes_flags);
    }
    decoder_destroy(d);
}

TEST(insn_that_is_cut_is_not_found)
{
    struct decoder *d = decoder();

    for (uint64_t size = 0; size < 4; size++) {
        /* A copy, so that a read behind the end is one behind an allocation. */
        uint8_t *bytes = test_malloc(size ? size : 1);
        struct insn insn;

        memset(bytes, 0xd6, size);
        assert_int_equal(decoder_decode(d, bytes, size, VADDR, 0, &insn), STATUS_NOT_FOUND);
        assert_int_equal(set()->reads(d, bytes, size, VADDR), 0);
        assert_int_equal(set()->jump_target(bytes, size, VADDR), 0);
        assert_false(set()->ends_with_call(bytes, size));
        assert_false(set()->strong_start(bytes, size));
        test_free(bytes);
    }
    decoder_destroy(d);
}

TEST(insn_no_instruction_is_not_found)
{
    /*
     * Unallocated groups; ldp x0, x0, [x9]; add with an impossible shift; text; ldxr and stlr with
     * bits that are one
     */
    static const uint32_t words[] = {0x02345678, 0x06345678, 0xa8ef8120, 0x0bc163c8,
                                     0xffffffff, 0x74736574, 0x88464f78, 0x8882a42e};
    struct decoder *d = decoder();
    struct insn insn;

    for (size_t i = 0; i < COUNT(words); i++)
        assert_int_equal(decode_word(d, words[i], &insn), STATUS_NOT_FOUND);
    decoder_destroy(d);
}

TEST(insn_reads_what_is_not_saved_or_compared)
{
#define REG(n) (UINT64_C(1) << (n))
    static const struct {
        uint32_t word;
        uint64_t reads;
    } cases[] = {
        {0xa9be4ff4, 0},                             /* stp x20, x19, [sp, #-32]! */
        {0xa9014ff4, 0},                             /* stp x20, x19, [sp, #16] */
        {0xa9014fb4, REG(X29)},                      /* stp x20, x19, [x29, #16] */
        {0xa9014c14, REG(X19) | REG(X20) | REG(X0)}, /* stp x20, x19, [x0, #16] */
        {0xf90003f3, 0},                             /* str x19, [sp] */
        {0xf9000273, REG(X19)},                      /* str x19, [x19] */
        {0xf9400260, REG(X19)},                      /* ldr x0, [x19] */
        {0xf8737814, REG(X0) | REG(X19)},            /* ldr x20, [x0, x19, lsl #3] */
        {0xaa1303e0, REG(X19)},                      /* mov x0, x19 */
        {0xaa0003f3, REG(X0)},                       /* mov x19, x0 */
        {0xd2800013, 0},                             /* mov x19, #0 */
        {0xf2a00033, REG(X19)},                      /* movk x19, #1, lsl #16 */
        {0xca130273, 0},                             /* eor x19, x19, x19 */
        {0x8b130014, REG(X0) | REG(X19)},            /* add x20, x0, x19 */
        {0xb40000b3, REG(X19)},                      /* cbz x19, … */
        {0xd63f0260, REG(X19)},                      /* blr x19 */
        {0xd73f0a7f, REG(X19)},                      /* blraa x19, sp */
        {0xf8330280, REG(X20)},                      /* ldadd x19, x0, [x20] */
        {0xf9b1dacb, REG(22)},                       /* prfm plil2strm, [x22, #0x63b0] */
        {0xf8b36814, REG(X0) | REG(X19)},            /* prfm #0x14, [x0, x19] */
        {0x9ad30800, REG(X0) | REG(X19)},            /* udiv x0, x0, x19 */
        {0xdac01273, REG(X19)},                      /* clz x19, x19 */
        {0xe41ddc4a, 0},                             /* st1b {z10.d}, p7, [x2, z29.d, sxtw] */
        {0x4e010e60, REG(X19)},                      /* dup v0.16b, w19 */
    };
    struct decoder *d = decoder();
    uint8_t bytes[4];

    for (size_t i = 0; i < COUNT(cases); i++) {
        uint64_t reads;

        put_word(bytes, cases[i].word);
        reads = set()->reads(d, bytes, 4, VADDR);
        if (reads != cases[i].reads)
            fail_msg("%08x reads %llx", cases[i].word, (unsigned long long)reads);
    }
    decoder_destroy(d);
#undef REG
}

TEST(insn_literals_of_every_size_are_data)
{
    static const struct {
        uint32_t word;
        uint8_t size;
    } cases[] = {
        {0x58000041, 8},  /* ldr x1, .+8 */
        {0x18000041, 4},  /* ldr w1, .+8 */
        {0x98000041, 4},  /* ldrsw x1, .+8 */
        {0x1c000041, 4},  /* ldr s1, .+8 */
        {0x5c000041, 8},  /* ldr d1, .+8 */
        {0x9c000041, 16}, /* ldr q1, .+8 */
        {0xd8000041, 0},  /* prfm pldl1strm, .+8 */
        {0xf9400421, 0},  /* ldr x1, [x1, #8] */
    };
    struct decoder *d = decoder();

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct insn insn;

        assert_int_equal(decode_word(d, cases[i].word, &insn), STATUS_OK);
        assert_int_equal(insn.literal_vaddr, cases[i].size ? VADDR + 8 : 0);
        assert_int_equal(insn.literal_size, cases[i].size);
    }
    decoder_destroy(d);
}
