/* SPDX-License-Identifier: MIT */
#include "arch/riscv/insn.h"

#include "arch/riscv/pattern.h"

static enum status open_state(struct decoder *decoder)
{
    (void)decoder;
    return STATUS_OK;
}

static void close_state(struct decoder *decoder)
{
    (void)decoder;
}

static const char *problem(void)
{
    return NULL;
}

static enum status text(struct decoder *decoder, const uint8_t *bytes, uint64_t size,
                        uint64_t vaddr, uint8_t context, struct insn_text *out)
{
    (void)decoder, (void)bytes, (void)size, (void)vaddr, (void)context, (void)out;
    return STATUS_NOT_FOUND;
}

static const struct decoder_kind riscv_decoder = {.open = open_state,
                                                  .close = close_state,
                                                  .problem = problem,
                                                  .text = text};

static enum status decode(struct decoder *decoder, const uint8_t *bytes, uint64_t size,
                          uint64_t vaddr, struct insn *out)
{
    (void)decoder, (void)bytes, (void)size, (void)vaddr, (void)out;
    return STATUS_NOT_FOUND;
}

static uint64_t reads(struct decoder *decoder, const uint8_t *bytes, uint64_t size, uint64_t vaddr)
{
    (void)decoder, (void)bytes, (void)size, (void)vaddr;
    return 0;
}

/* andi sp, sp, -16; c.li a3, 0; c.li a4, 0: glibc's _start, shortly before it calls */
#define START_CODE "\x13\x71\x01\xff\x81\x46\x01\x47"

const struct insn_set insn_set_rv64 = {.arch = &arch_riscv64,
                                       .mode = CODE_DEFAULT,
                                       .decoder = &riscv_decoder,
                                       .alignment = RISCV_PARCEL_SIZE,
                                       .call_alignment = 16,
                                       .decode = decode,
                                       .reads = reads,
                                       .jump_target = riscv_jump_target,
                                       .call_target = riscv_call_target,
                                       .ends_with_call = riscv_ends_with_call,
                                       .strong_start = riscv_strong_start,
                                       .sigreturn_row = riscv64_sigreturn_row,
                                       .system_call = riscv_system_call,
                                       .start_code = START_CODE};

const struct insn_set insn_set_rv32 = {.arch = &arch_riscv32,
                                       .mode = CODE_DEFAULT,
                                       .decoder = &riscv_decoder,
                                       .alignment = RISCV_PARCEL_SIZE,
                                       .call_alignment = 16,
                                       .decode = decode,
                                       .reads = reads,
                                       .jump_target = riscv_jump_target,
                                       .call_target = riscv32_call_target,
                                       .ends_with_call = riscv_ends_with_call,
                                       .strong_start = riscv_strong_start,
                                       .sigreturn_row = riscv32_sigreturn_row,
                                       .system_call = riscv_system_call,
                                       .start_code = START_CODE};
