/* SPDX-License-Identifier: MIT */
/* For tests of A32 and T32: what is demanded of both alike. */
#ifndef TEST_INSN_ARM_FIXTURE_H
#define TEST_INSN_ARM_FIXTURE_H

#include "insn_fixture.h"
#include "unwind/row/row.h"

enum { R0 = 0, R3 = 3, R4 = 4, SP = 13, LR = 14, PC = 15 };

/* Each program says which of them it is about. */
static const struct insn_set *set(void);

static inline struct decoder *decoder(void)
{
    struct decoder *decoder;

    assert_int_equal(decoder_create(set(), &decoder), STATUS_OK);
    return decoder;
}

static inline struct insn decode_one(struct decoder *d, const char *bytes, uint64_t size,
                                     uint64_t vaddr, uint8_t context)
{
    struct insn insn;

    assert_int_equal(decoder_decode(d, (const uint8_t *)bytes, size, vaddr, context, &insn),
                     STATUS_OK);
    return insn;
}

/* None of the cases is decoded without its last bytes. */
static inline void check_cut(const struct effect_case *cases, size_t count)
{
    struct decoder *d = decoder();

    for (size_t i = 0; i < count; i++)
        for (uint64_t size = 0; size < cases[i].size; size++) {
            /* A copy, so that a read behind the end is one behind an allocation. */
            uint8_t *bytes = test_malloc(size ? size : 1);
            struct insn insn;

            memcpy(bytes, cases[i].bytes, size);
            assert_int_equal(decoder_decode(d, bytes, size, VADDR, 0, &insn), STATUS_NOT_FOUND);
            test_free(bytes);
        }
    decoder_destroy(d);
}

struct told_case {
    const char *bytes;
    uint8_t size;
    bool told;
};

/* Bytes alone tell it: a function of struct insn_set. */
static inline void check_told(bool (*tell)(const uint8_t *bytes, uint64_t size),
                              const struct told_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_int_equal(tell((const uint8_t *)cases[i].bytes, cases[i].size), cases[i].told);
}

static inline bool modelled(const struct op *op)
{
    return (op->dst == REG_NONE || op->dst < OP_REG_MAX) &&
           (op->src == REG_NONE || op->src < OP_REG_MAX) &&
           (op->src2 == REG_NONE || op->src2 < OP_REG_MAX) && op->shift < 64 &&
           (op->kind != OP_CLOBBER || op->mask >> 16 == 0);
}

/* Any bytes give an instruction whose registers exist, or none. */
static inline void insn_any_bytes_are_survived(void **state)
{
    struct decoder *d = decoder();
    uint32_t word = 1;
    unsigned decoded = 0;

    (void)state;
    for (unsigned i = 0; i < 300000; i++) {
        struct insn insn;

        word = word * 1664525 + 1013904223; /* Knuth's generator */
        uint32_t mixed = word ^ word >> 15;

        if (decoder_decode(d, (const uint8_t *)&mixed, sizeof(mixed), VADDR, (uint8_t)i, &insn) !=
            STATUS_OK)
            continue;
        decoded++;
        assert_true(insn.size == 2 || insn.size == 4);
        assert_true(insn.op_count < INSN_OPS_MAX);
        assert_true(insn.jump_reg == REG_NONE || insn.jump_reg <= PC);
        for (unsigned k = 0; k < insn.op_count; k++)
            assert_true(modelled(&insn.ops[k]));
        (void)set()->reads(d, (const uint8_t *)&mixed, sizeof(mixed), VADDR);
    }
    assert_true(decoded > 100000);
    decoder_destroy(d);
}

static inline void assert_reads(struct decoder *d, const char *bytes, uint64_t size,
                                uint64_t expected)
{
    assert_int_equal(set()->reads(d, (const uint8_t *)bytes, size, VADDR), expected);
}

static inline void assert_signal_row(const struct row *row, int32_t registers, uint64_t size)
{
    assert_int_equal(row->start_vaddr, VADDR);
    assert_int_equal(row->end_vaddr, VADDR + size);
    assert_true(row->signal_frame);
    assert_int_equal(row->cfa.kind, CFA_DEREF);
    assert_int_equal(row->cfa.reg, SP);
    assert_int_equal(row->cfa.off, registers + 4 * SP);
    for (int32_t reg = R0; reg <= LR; reg++) {
        if (reg == SP)
            continue;
        assert_int_equal(row->regs[reg].kind, RULE_AT_REG);
        assert_int_equal(row->regs[reg].reg, SP);
        assert_int_equal(row->regs[reg].off, registers + 4 * reg);
    }
    assert_int_equal(row->ra.kind, RULE_AT_REG);
    assert_int_equal(row->ra.off, registers + 4 * PC);
}

static inline void sigreturn_reads(const char *bytes, uint64_t size, int32_t registers)
{
    struct row row;

    assert_int_equal(set()->sigreturn_row((const uint8_t *)bytes, size, VADDR, &row), STATUS_OK);
    assert_signal_row(&row, registers, size);
    for (uint64_t cut = 0; cut < size; cut++)
        assert_int_equal(set()->sigreturn_row((const uint8_t *)bytes, cut, VADDR, &row),
                         STATUS_NOT_FOUND);
}

#endif
