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
    uint8_t number; /* DWARF's; REG_NONE: a vector register, XZR, or not in arch.h's list */
    uint8_t size;   /* bytes; 16 if not known */
};

/* Translates Capstone's register id (ARM64_REG_...). */
struct a64_register a64_register(unsigned reg);

/* Whether operand `i` is a general register or SP, of 32 or 64 bits; if so, fills *out. */
bool a64_general(const cs_arm64 *a64, unsigned i, struct a64_register *out);

/* Returns the number of operand `i`, if it is a 64-bit general register or SP; else REG_NONE. */
uint8_t a64_full_register(const cs_arm64 *a64, unsigned i);

/* Whether operand `i` is XZR or WZR. */
bool a64_is_zero_register(const cs_arm64 *a64, unsigned i);

/*
 * Sets *out to the immediate that is operand `i`, with its left shift applied. False: there is no
 * such operand, it is no immediate, or it has another shift.
 */
bool a64_immediate(const cs_arm64 *a64, unsigned i, int64_t *out);

/*
 * The address base + offset. With write_back, offset is 0, and the base register changes: `before`
 * is added to it before the access, `after` afterwards (one of them is 0).
 */
struct a64_address {
    uint8_t base;
    int64_t offset, before, after;
    bool write_back;
};

/*
 * Fills *out from operand `i`. False: there is no such operand, or it is no address with a 64-bit
 * base register and without an index.
 */
bool a64_simple_address(const cs_arm64 *a64, unsigned i, struct a64_address *out);

#endif
