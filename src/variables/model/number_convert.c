/* SPDX-License-Identifier: MIT */
/* DW_OP_convert, DW_OP_reinterpret. */
#include "variables/model/number_parts.h"

static struct typed_number integer_to_float(const struct typed_number *number,
                                            struct location_type type, unsigned word_size)
{
    bool is_negative = class_of(number->type) == CLASS_SIGNED && sign_of(number, word_size);
    struct wide value = bits_of(number);
    double wide;
    float narrow;

    if (is_negative)
        value = wide_negate(wide_extend(value, 8 * number_size(number, word_size)));
    if (value.high != 0)
        return not_computed(type, NUMBER_OUT_OF_RANGE);
    if (type.size == sizeof(wide)) {
        wide = (double)value.low;
        return of_float(is_negative ? -wide : wide, type);
    }
    narrow = (float)value.low; /* in one step, to round once */
    return of_float((double)(is_negative ? -narrow : narrow), type);
}

/* Towards zero. */
static struct typed_number float_to_integer(double value, struct location_type type,
                                            unsigned word_size)
{
    bool is_unsigned = class_of(type) == CLASS_UNSIGNED;
    unsigned bits = 8 * type_size(type, word_size);
    double limit = 2.0 * (double)(UINT64_C(1) << ((bits > 64 ? 64 : bits) - 1 - !is_unsigned));
    struct wide whole;

    if (isnan(value) || !(value < limit) || !(value > (is_unsigned ? -1 : -limit - 1)))
        return not_computed(type, NUMBER_OUT_OF_RANGE);
    whole = (struct wide){.low = (uint64_t)fabs(value)};
    if (type.encoding == DW_ATE_boolean && whole.low > 1)
        return not_computed(type, NUMBER_OUT_OF_RANGE);
    return of_bits(value < 0 ? wide_negate(whole) : whole, type, word_size);
}

static struct typed_number integer_to_integer(const struct typed_number *number,
                                              struct location_type type, unsigned word_size)
{
    unsigned bits = 8 * number_size(number, word_size);
    struct wide value = bits_of(number);

    if (class_of(number->type) == CLASS_SIGNED)
        value = wide_extend(value, bits);
    /* To bool: whether it is 0 in C, or the lowest bits; only 0 and 1 are clear. */
    if (type.encoding == DW_ATE_boolean && (value.high != 0 || value.low > 1))
        return not_computed(type, NUMBER_OUT_OF_RANGE);
    return of_bits(value, type, word_size);
}

struct typed_number number_convert(const struct typed_number *number, struct location_type type,
                                   unsigned word_size)
{
    enum number_class from = class_of(number->type), to = class_of(type);
    bool is_wider = type_size(type, word_size) > number_size(number, word_size);

    if (!is_known(number->known))
        return number_unknown(type, number->known);
    if (from == CLASS_BYTES || to == CLASS_BYTES) {
        if (number->type.encoding == type.encoding && number->type.size == type.size)
            return *number;
        return not_computed(type, NUMBER_NOT_COMPUTED);
    }
    if (from == CLASS_FLOAT && to == CLASS_FLOAT)
        return of_float(float_value(number), type);
    if (from == CLASS_FLOAT)
        return float_to_integer(float_value(number), type, word_size);
    if (from == CLASS_GENERIC && (is_wider || to == CLASS_FLOAT) && sign_of(number, word_size))
        return not_computed(type, NUMBER_AMBIGUOUS);
    if (to == CLASS_FLOAT)
        return integer_to_float(number, type, word_size);
    return integer_to_integer(number, type, word_size);
}

struct typed_number number_reinterpret(const struct typed_number *number, struct location_type type,
                                       unsigned word_size)
{
    struct typed_number same = *number;

    if (number_size(number, word_size) != type_size(type, word_size))
        return not_computed(type, NUMBER_MALFORMED);
    same.type = type;
    return same;
}
