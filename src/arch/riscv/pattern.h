/* SPDX-License-Identifier: MIT */
/*
 * Recognises RISC-V code by its bytes, without decoding. Most functions implement the member of
 * struct insn_set that has their name, and may be given any bytes.
 */
#ifndef ARCH_RISCV_PATTERN_H
#define ARCH_RISCV_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

struct row;

/* Bytes; sizes and addresses of instructions are multiples of this. */
#define RISCV_PARCEL_SIZE 2

/* Read a little-endian value of 2, 4 bytes; the caller has checked that they are there. */
static inline uint32_t riscv_half(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8;
}

static inline uint32_t riscv_word(const uint8_t *bytes)
{
    return riscv_half(bytes) | riscv_half(bytes + 2) << 16;
}

/* Returns the target of jalr, base + imm with the lowest bit cleared (unprivileged ISA, 2.5.1). */
static inline uint64_t riscv_jalr_target(uint64_t base, int64_t imm)
{
    return (base + (uint64_t)imm) & ~UINT64_C(1);
}

/*
 * Returns the size in bytes of the instruction whose first 16 bits are `half`; 0: an encoding
 * longer than all that are defined.
 */
unsigned riscv_size(uint32_t half);

/*
 * Return the distance in bytes to the target: riscv_j_offset of jal, riscv_cj_offset of c.j, c.jal.
 */
int64_t riscv_j_offset(uint32_t word);
int64_t riscv_cj_offset(uint32_t half);

uint64_t riscv_jump_target(const uint8_t *bytes, uint64_t size, uint64_t vaddr);
uint64_t riscv_call_target(const uint8_t *bytes, uint64_t size, uint64_t vaddr);
/* Does the same as riscv_call_target, but also knows c.jal, which only RV32 has. */
uint64_t riscv32_call_target(const uint8_t *bytes, uint64_t size, uint64_t vaddr);
bool riscv_ends_with_call(const uint8_t *bytes, uint64_t size);
bool riscv_is_trap_return(const uint8_t *bytes, uint64_t size);
bool riscv_is_outline_return(const uint8_t *bytes, uint64_t size);
bool riscv64_strong_start(const uint8_t *bytes, uint64_t size);
bool riscv32_strong_start(const uint8_t *bytes, uint64_t size);
unsigned riscv_system_call(const uint8_t *bytes, uint64_t size);
enum status riscv64_sigreturn_row(const uint8_t *bytes, uint64_t size, uint64_t vaddr,
                                  struct row *out);
enum status riscv32_sigreturn_row(const uint8_t *bytes, uint64_t size, uint64_t vaddr,
                                  struct row *out);

#endif
