/* SPDX-License-Identifier: MIT */
/* For tests of x86-64: its decoder. */
#ifndef TEST_INSN_X86_64_FIXTURE_H
#define TEST_INSN_X86_64_FIXTURE_H

#include "insn_x86_fixture.h"

static inline const struct insn_set *set(void)
{
    return insn_set_for(arch_get(ARCH_X86_64), CODE_DEFAULT);
}

static inline struct decoder *decoder(void)
{
    struct decoder *decoder;

    assert_int_equal(decoder_create(set(), &decoder), STATUS_OK);
    return decoder;
}

#endif
