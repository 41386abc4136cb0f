/* SPDX-License-Identifier: MIT */
/*
 * Computes with numbers on the stack of a location expression: of a base type or of the generic
 * type (DWARF 5, 2.5.1), or unknown for a reason. A result computed from an unknown number is
 * unknown.
 *
 * The generic type is an integer of an address's size. Where the standard leaves its sign open, and
 * the sign would make a difference, the result is unknown. Unknown are also results that the
 * standard leaves to the target: division by zero, shifts beyond the width, NaN.
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
    /* valid for unknown numbers, too; at most TYPED_NUMBER_SIZE_MAX bytes */
    struct location_type type;
    uint64_t low, high; /* its bits, zero-extended from the type's size */
};

/*
 * Returns `value` as a number of the generic type. In all functions `word_size` is the
 * architecture's: 4 or 8 bytes.
 */
struct typed_number number_generic(uint64_t value, unsigned word_size);

/*
 * Returns an unknown number of this type, for the reason `why`; a type that is too large becomes
 * the generic type.
 */
struct typed_number number_unknown(struct location_type type, struct known_how why);

/*
 * Returns the number of this type that `size` little-endian bytes are; `size` is at most the type's
 * size and TYPED_NUMBER_SIZE_MAX.
 */
struct typed_number number_of_bytes(struct location_type type, const uint8_t *bytes, unsigned size);

/* Returns the size of the number's type in bytes. */
unsigned number_size(const struct typed_number *number, unsigned word_size);

bool number_is_integer(const struct typed_number *number);

void number_bytes(const struct typed_number *number, uint8_t bytes[TYPED_NUMBER_SIZE_MAX]);

/*
 * Sets *value to the number as an address, or another integer of an address's size; returns why
 * that is not possible, if it is not.
 */
struct known_how number_word(const struct typed_number *number, unsigned word_size,
                             uint64_t *value);

/* DW_OP_plus_uconst: returns number + operand, wrapped to its type; of a float it is not known. */
struct typed_number number_add(const struct typed_number *number, uint64_t operand,
                               unsigned word_size);

/* Returns the result of the operation `atom`: DW_OP_abs, DW_OP_neg or DW_OP_not. */
struct typed_number number_unary(uint8_t atom, const struct typed_number *operand,
                                 unsigned word_size);

/*
 * Returns the result of the operation `atom`: DW_OP_and to DW_OP_xor, except those of number_unary,
 * or DW_OP_eq to DW_OP_ne.
 */
struct typed_number number_binary(uint8_t atom, const struct typed_number *left,
                                  const struct typed_number *right, unsigned word_size);

/* DW_OP_convert: returns the same value in another type. */
struct typed_number number_convert(const struct typed_number *number, struct location_type type,
                                   unsigned word_size);

/*
 * DW_OP_reinterpret: returns the same bits in another type, which must have the same size; else an
 * unknown number.
 */
struct typed_number number_reinterpret(const struct typed_number *number, struct location_type type,
                                       unsigned word_size);

#endif
