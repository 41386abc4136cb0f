/* SPDX-License-Identifier: MIT */
/* For tests of A64: its decoder, words, and the registers that an instruction's effect changes. */
#ifndef TEST_INSN_A64_FIXTURE_H
#define TEST_INSN_A64_FIXTURE_H

#include "insn_fixture.h"

#define WORDS(table) (sizeof(table) / sizeof((table)[0]))

enum { X0, X1, X2, X19 = 19, X20, X29 = 29, X30, SP, PC };

static inline const struct insn_set *set(void)
{
    return insn_set_for(arch_get(ARCH_AARCH64), CODE_DEFAULT);
}

static inline struct decoder *decoder(void)
{
    struct decoder *decoder;

    assert_int_equal(decoder_create(set(), &decoder), STATUS_OK);
    return decoder;
}

static inline void put_word(uint8_t *bytes, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(word >> 8 * i);
}

static inline uint64_t changed(const struct insn *insn)
{
    uint64_t mask = 0;

    for (unsigned i = 0; i < insn->op_count; i++) {
        const struct op *op = &insn->ops[i];

        if (op->kind == OP_CLOBBER)
            mask |= op->mask;
        else if (op->kind != OP_STORE && op->kind != OP_COMPARE && op->kind != OP_COMPARE_REG)
            mask |= UINT64_C(1) << op->dst;
    }
    return mask;
}

#endif
