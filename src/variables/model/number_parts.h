/* SPDX-License-Identifier: MIT */
/*
 * Private to typed_number.c and number_convert.c: tells the classes of numbers, and converts to and
 * from bits and floats.
 */
#ifndef VARIABLES_MODEL_NUMBER_PARTS_H
#define VARIABLES_MODEL_NUMBER_PARTS_H

#include <dwarf.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "variables/model/typed_number.h"
#include "variables/model/wide.h"

#define NUMBER_AMBIGUOUS    "sign of an untyped number"
#define NUMBER_MIXED        "operands of different types"
#define NUMBER_NOT_COMPUTED "type that is not computed with"
#define NUMBER_NAN          "not a number"
#define NUMBER_OUT_OF_RANGE "result out of range"
#define NUMBER_MALFORMED    "malformed location"

enum number_class {
    CLASS_GENERIC,
    CLASS_SIGNED,
    CLASS_UNSIGNED,
    CLASS_FLOAT,
    CLASS_BYTES, /* bytes that are not computed with */
};

static inline enum number_class class_of(struct location_type type)
{
    if (type.size == 0)
        return CLASS_GENERIC;
    switch (type.encoding) {
    case DW_ATE_signed:
    case DW_ATE_signed_char:
        return CLASS_SIGNED;
    case DW_ATE_unsigned:
    case DW_ATE_unsigned_char:
    case DW_ATE_boolean:
    case DW_ATE_address:
    case DW_ATE_UTF:
        return CLASS_UNSIGNED;
    case DW_ATE_float:
        return type.size == sizeof(float) || type.size == sizeof(double) ? CLASS_FLOAT
                                                                         : CLASS_BYTES;
    }
    return CLASS_BYTES;
}

static inline bool is_integer(enum number_class class)
{
    return class == CLASS_GENERIC || class == CLASS_SIGNED || class == CLASS_UNSIGNED;
}

static inline unsigned type_size(struct location_type type, unsigned word_size)
{
    return type.size ? type.size : word_size;
}

static inline struct wide bits_of(const struct typed_number *number)
{
    return (struct wide){.low = number->low, .high = number->high};
}

static inline bool sign_of(const struct typed_number *number, unsigned word_size)
{
    return wide_is_negative(wide_extend(bits_of(number), 8 * number_size(number, word_size)));
}

static inline struct typed_number of_bits(struct wide bits, struct location_type type,
                                          unsigned word_size)
{
    bits = wide_cut(bits, 8 * type_size(type, word_size));
    return (struct typed_number){.type = type, .low = bits.low, .high = bits.high};
}

static inline struct typed_number not_computed(struct location_type type, const char *why)
{
    return number_unknown(type, unavailable(why));
}

/* ---- floats: the bits of NaN differ from processor to processor, so that NaN is unknown ---- */

static inline double float_value(const struct typed_number *number)
{
    uint32_t word = (uint32_t)number->low;
    double wide;
    float narrow;

    if (number->type.size == sizeof(wide)) {
        memcpy(&wide, &number->low, sizeof(wide));
        return wide;
    }
    memcpy(&narrow, &word, sizeof(narrow));
    return (double)narrow;
}

static inline struct typed_number of_float(double value, struct location_type type)
{
    struct typed_number number = {.type = type};
    float narrow;
    uint32_t word;

    if (isnan(value))
        return not_computed(type, NUMBER_NAN);
    if (type.size == sizeof(value)) {
        memcpy(&number.low, &value, sizeof(value));
        return number;
    }
    narrow = (float)value;
    memcpy(&word, &narrow, sizeof(word));
    number.low = word;
    return number;
}

#endif
