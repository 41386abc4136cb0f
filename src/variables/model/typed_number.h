/* SPDX-License-Identifier: MIT */
/*
 * Numbers on the stack of a location expression: of a base type or of the generic type (DWARF 5,
 * 2.5.1), or unknown for a reason. A result computed from an unknown number is unknown.
 *
 * The generic type is an integer of an address's size. Where the standard leaves its sign open, and
 * the result would differ, the result is unknown; so is what depends on the target where the
 * standard leaves it open: division by zero, shifts beyond the width, NaN.
 *
 * Integers have 1 to 16 bytes, floats 4 or 8. Other types (long double, complex, decimal) are bytes
 * that can be moved about but not computed with.
 */
#ifndef VARIABLES_MODEL_TYPED_NUMBER_H
#define VARIABLES_MODEL_TYPED_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#include "variables/model/known.h"
#include "variables/model/location.h"

#define TYPED_NUMBER_SIZE_MAX 16

struct typed_number {
    struct known_how known;
    struct location_type type; /* also of an unknown number; at most TYPED_NUMBER_SIZE_MAX bytes */
    uint64_t low, high;        /* zero-extended from the type's size */
};

/* In all functions below `word_size` is the architecture's: 4 or 8 bytes. */
struct typed_number number_generic(uint64_t value, unsigned word_size);

/* Makes an unknown number; a type that is too large becomes the generic one. */
struct typed_number number_unknown(struct location_type type, struct known_how why);

/* Makes a number of `size` little-endian bytes, at most the type's and TYPED_NUMBER_SIZE_MAX. */
struct typed_number number_of_bytes(struct location_type type, const uint8_t *bytes, unsigned size);

/* Bytes of its type. */
unsigned number_size(const struct typed_number *number, unsigned word_size);

bool number_is_integer(const struct typed_number *number);

void number_bytes(const struct typed_number *number, uint8_t bytes[TYPED_NUMBER_SIZE_MAX]);

/* Reads the number as an address, or as another integer of that size. */
struct known_how number_word(const struct typed_number *number, unsigned word_size,
                             uint64_t *value);

/* DW_OP_plus_uconst: the operand is of the number's type. */
struct typed_number number_add(const struct typed_number *number, uint64_t operand,
                               unsigned word_size);

/* DW_OP_abs, DW_OP_neg, DW_OP_not. */
struct typed_number number_unary(uint8_t atom, const struct typed_number *operand,
                                 unsigned word_size);

/* DW_OP_and to DW_OP_xor without those of number_unary; DW_OP_eq to DW_OP_ne. */
struct typed_number number_binary(uint8_t atom, const struct typed_number *left,
                                  const struct typed_number *right, unsigned word_size);

/* DW_OP_convert: the same value in another type. */
struct typed_number number_convert(const struct typed_number *number, struct location_type type,
                                   unsigned word_size);

/* DW_OP_reinterpret: the same bits in another type. */
struct typed_number number_reinterpret(const struct typed_number *number, struct location_type type,
                                       unsigned word_size);

#endif
