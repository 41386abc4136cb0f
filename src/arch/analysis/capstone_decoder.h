/* SPDX-License-Identifier: MIT */
/*
 * Decodes with Capstone an instruction set whose struct insn_set has .decoder = &capstone_decoder.
 */
#ifndef ARCH_ANALYSIS_CAPSTONE_DECODER_H
#define ARCH_ANALYSIS_CAPSTONE_DECODER_H

#include "arch/analysis/capstone_calls.h"
#include "arch/analysis/insn.h"

extern const struct decoder_kind capstone_decoder;

struct capstone_state { /* a decoder of this kind has one behind struct decoder's `state` */
    const struct capstone_calls *calls;
    csh handle;
    cs_insn *insn; /* the last instruction; owned, reused so that disasm_iter allocates nothing */
};

static inline const struct capstone_state *capstone_of(const struct decoder *decoder)
{
    return decoder->state;
}

/* Returns the instruction that was disassembled last. */
static inline cs_insn *capstone_insn(const struct decoder *decoder)
{
    return capstone_of(decoder)->insn;
}

/*
 * Disassembles the instruction at *bytes into capstone_insn and moves *bytes, *left (bytes) and
 * *vaddr behind it. False: Capstone knows no instruction there.
 */
static inline bool capstone_next(const struct decoder *decoder, const uint8_t **bytes, size_t *left,
                                 uint64_t *vaddr)
{
    const struct capstone_state *state = capstone_of(decoder);

    return state->calls->disasm_iter(state->handle, bytes, left, vaddr, state->insn);
}

/*
 * Lists the registers (Capstone's ids) that the instruction in capstone_insn reads and writes, as
 * cs_regs_access does. False: Capstone failed.
 */
static inline bool capstone_regs(const struct decoder *decoder, cs_regs read, uint8_t *read_count,
                                 cs_regs written, uint8_t *written_count)
{
    const struct capstone_state *state = capstone_of(decoder);

    return state->calls->regs_access(state->handle, state->insn, read, read_count, written,
                                     written_count) == CS_ERR_OK;
}

#endif
