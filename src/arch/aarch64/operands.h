/* SPDX-License-Identifier: MIT */
/*
 * Translates Capstone's A64 operands: registers to DWARF's numbers, immediates, addresses without
 * an index. Private to arch/aarch64.
 */
#ifndef ARCH_AARCH64_OPERANDS_H
#define ARCH_AARCH64_OPERANDS_H

#include <capstone/capstone.h>
#include <stdbool.h>
#include <stdint.h>

#define A64_WORD 8

struct a64_register {
    uint8_t number; /* DWARF's; REG_NONE: a vector register, XZR, or none of ours */
    uint8_t size;   /* bytes; 16 if not known */
};

/* Translates Capstone's register id. */
struct a64_register a64_register(unsigned reg);

/* Returns whether operand `i` is a general register or SP, of 32 or 64 bits, and fills *out. */
bool a64_general(const cs_arm64 *a64, unsigned i, struct a64_register *out);

/* Returns the number of operand `i`, if it is a 64-bit general register or SP; else REG_NONE. */
uint8_t a64_full_register(const cs_arm64 *a64, unsigned i);

/* Returns whether operand `i` is XZR or WZR. */
bool a64_is_zero_register(const cs_arm64 *a64, unsigned i);

/* Sets *out to operand `i`, an immediate, shifted left if it says so. False: none of these. */
bool a64_immediate(const cs_arm64 *a64, unsigned i, int64_t *out);

/* [base + offset]; with write_back, `before` or `after` is added to the base before or after it. */
struct a64_address {
    uint8_t base;
    int64_t offset, before, after;
    bool write_back;
};

/* Fills *out from operand `i`. False: no address with a 64-bit base and without an index. */
bool a64_simple_address(const cs_arm64 *a64, unsigned i, struct a64_address *out);

#endif
