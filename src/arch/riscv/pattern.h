/* SPDX-License-Identifier: MIT */
/*
 * RISC-V code told by its bytes alone, without the decoder: members of struct insn_set that search
 * any bytes.
 */
#ifndef ARCH_RISCV_PATTERN_H
#define ARCH_RISCV_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

struct row;

/* The encodings' units: instructions are multiples of them, and begin at them. */
#define RISCV_PARCEL_SIZE 2

/* Little-endian, of bytes that are there. */
static inline uint32_t riscv_half(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8;
}

static inline uint32_t riscv_word(const uint8_t *bytes)
{
    return riscv_half(bytes) | riscv_half(bytes + 2) << 16;
}

/* jalr clears the lowest bit (unprivileged ISA, 2.5.1). */
static inline uint64_t riscv_jalr_target(uint64_t base, int64_t imm)
{
    return (base + (uint64_t)imm) & ~UINT64_C(1);
}

/* Bytes of the instruction that begins with these 16 bits; 0: longer than any that is defined. */
unsigned riscv_size(uint32_t half);

/* Where jal (immediate of the J-type) and c.j, c.jal lead from. */
int64_t riscv_j_offset(uint32_t word);
int64_t riscv_cj_offset(uint32_t half);

uint64_t riscv_jump_target(const uint8_t *bytes, uint64_t size, uint64_t vaddr);
uint64_t riscv_call_target(const uint8_t *bytes, uint64_t size, uint64_t vaddr);
/* The same with c.jal, which RV32 alone has. */
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
