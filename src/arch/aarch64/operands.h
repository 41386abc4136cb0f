/* SPDX-License-Identifier: MIT */
/*
 * Capstone's A64 operands in our terms: registers by DWARF's numbers, immediates, addresses without
 * an index. Private to insn_a64*.
 */
#ifndef ARCH_AARCH64_OPERANDS_H
#define ARCH_AARCH64_OPERANDS_H

#include <capstone/capstone.h>
#include <stdbool.h>
#include <stdint.h>

#define A64_WORD 8

struct a64_register {
    uint8_t number; /* DWARF's; REG_NONE: a vector register, or one that reads as zero */
    uint8_t size;   /* bytes of the access */
};

/* Of Capstone's register id. */
struct a64_register a64_register(unsigned reg);

/* Operand `i` is a general register of 32 or 64 bits. */
bool a64_general(const cs_arm64 *a64, unsigned i, struct a64_register *out);

/* The number of operand `i`, a 64-bit general register or SP; else REG_NONE. */
uint8_t a64_full_register(const cs_arm64 *a64, unsigned i);

/* Operand `i` is XZR or WZR. */
bool a64_is_zero_register(const cs_arm64 *a64, unsigned i);

/* Operand `i` is an immediate, perhaps shifted to the left. */
bool a64_immediate(const cs_arm64 *a64, unsigned i, int64_t *out);

/* An address [base + offset] and what becomes of the base before or after the access. */
struct a64_address {
    uint8_t base;
    int64_t offset, before, after;
    bool write_back;
};

/* Operand `i` as an address without an index register. */
bool a64_simple_address(const cs_arm64 *a64, unsigned i, struct a64_address *out);

#endif
