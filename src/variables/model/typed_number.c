/* SPDX-License-Identifier: MIT */
#include "variables/model/typed_number.h"

#include "variables/model/number_parts.h"

struct typed_number number_generic(uint64_t value, unsigned word_size)
{
    return of_bits((struct wide){.low = value}, (struct location_type){0}, word_size);
}

struct typed_number number_unknown(struct location_type type, struct known_how why)
{
    if (type.size > TYPED_NUMBER_SIZE_MAX)
        type = (struct location_type){0};
    return (struct typed_number){.type = type, .known = why};
}

struct typed_number number_of_bytes(struct location_type type, const uint8_t *bytes, unsigned size)
{
    struct typed_number number = {.type = type};

    for (unsigned i = 0; i < size; i++) {
        if (i < 8)
            number.low |= (uint64_t)bytes[i] << 8 * i;
        else
            number.high |= (uint64_t)bytes[i] << 8 * (i - 8);
    }
    return number;
}

unsigned number_size(const struct typed_number *number, unsigned word_size)
{
    return type_size(number->type, word_size);
}

void number_bytes(const struct typed_number *number, uint8_t bytes[TYPED_NUMBER_SIZE_MAX])
{
    for (unsigned i = 0; i < 8; i++) {
        bytes[i] = (uint8_t)(number->low >> 8 * i);
        bytes[i + 8] = (uint8_t)(number->high >> 8 * i);
    }
}

struct known_how number_word(const struct typed_number *number, unsigned word_size, uint64_t *value)
{
    enum number_class class = class_of(number->type);
    unsigned size = number_size(number, word_size);

    if (!is_known(number->known))
        return number->known;
    if (!is_integer(class))
        return unavailable(NUMBER_NOT_COMPUTED);
    /* gdb reads a smaller negative one as unsigned here; DW_OP_convert would keep its sign. */
    if (class == CLASS_SIGNED && size < word_size && sign_of(number, word_size))
        return unavailable(NUMBER_AMBIGUOUS);
    if (number->high != 0 || (word_size < 8 && number->low >> 8 * word_size != 0))
        return unavailable(NUMBER_OUT_OF_RANGE);
    *value = number->low;
    return known_yes();
}

static struct typed_number compare_floats(uint8_t atom, double a, double b, unsigned word_size)
{
    bool result;

    if (isnan(a) || isnan(b))
        return not_computed((struct location_type){0}, NUMBER_NAN);
    switch (atom) {
    case DW_OP_eq:
        result = !(a < b) && !(a > b);
        break;
    case DW_OP_ne:
        result = a < b || a > b;
        break;
    case DW_OP_ge:
        result = a >= b;
        break;
    case DW_OP_gt:
        result = a > b;
        break;
    case DW_OP_le:
        result = a <= b;
        break;
    default: /* DW_OP_lt */
        result = a < b;
        break;
    }
    return number_generic(result, word_size);
}

/* Computing as doubles, then rounding, is exact for floats: 53 bits are more than 2 * 24 + 1. */
static struct typed_number compute_floats(uint8_t atom, double a, double b,
                                          struct location_type type)
{
    switch (atom) {
    case DW_OP_plus:
        return of_float(a + b, type);
    case DW_OP_minus:
        return of_float(a - b, type);
    case DW_OP_mul:
        return of_float(a * b, type);
    case DW_OP_div:
        if (!(b < 0) && !(b > 0))
            return not_computed(type, "division by zero");
        return of_float(a / b, type);
    }
    return not_computed(type, NUMBER_MALFORMED); /* integers only */
}

/* ---- integers ---- */

static struct typed_number divide(uint8_t atom, const struct typed_number *left,
                                  const struct typed_number *right, bool is_signed,
                                  struct location_type type, unsigned word_size)
{
    unsigned bits = 8 * type_size(type, word_size);
    struct wide a = bits_of(left), b = bits_of(right), quotient, rest;

    if (wide_is_zero(b))
        return not_computed(type, "division by zero");
    if (is_signed) {
        quotient = wide_divide_signed(wide_extend(a, bits), wide_extend(b, bits), &rest);
        /* Both negative: the quotient is positive, unless it does not fit. */
        if (sign_of(left, word_size) && sign_of(right, word_size) &&
            wide_is_negative(wide_extend(quotient, bits)))
            return not_computed(type, NUMBER_OUT_OF_RANGE);
    } else {
        quotient = wide_divide(a, b, &rest);
    }
    return of_bits(atom == DW_OP_div ? quotient : rest, type, word_size);
}

static struct typed_number compare(uint8_t atom, const struct typed_number *left,
                                   const struct typed_number *right, bool is_signed,
                                   unsigned word_size)
{
    unsigned bits = 8 * number_size(left, word_size);
    struct wide a = bits_of(left), b = bits_of(right);
    bool is_less, is_equal = a.low == b.low && a.high == b.high, result;

    if (is_signed)
        is_less = wide_is_less(wide_extend(a, bits), wide_extend(b, bits));
    else
        is_less = wide_is_below(a, b);
    switch (atom) {
    case DW_OP_eq:
        result = is_equal;
        break;
    case DW_OP_ne:
        result = !is_equal;
        break;
    case DW_OP_ge:
        result = !is_less;
        break;
    case DW_OP_gt:
        result = !is_less && !is_equal;
        break;
    case DW_OP_le:
        result = is_less || is_equal;
        break;
    default: /* DW_OP_lt */
        result = is_less;
        break;
    }
    return number_generic(result, word_size);
}

static struct typed_number shift(uint8_t atom, const struct typed_number *left,
                                 const struct typed_number *right, unsigned word_size)
{
    unsigned bits = 8 * number_size(left, word_size), count = (unsigned)right->low;
    struct wide a = bits_of(left);

    /* Processors differ here, and C leaves it open. */
    if (right->high != 0 || right->low >= bits)
        return not_computed(left->type, "shift beyond the width");
    if (atom == DW_OP_shl)
        a = wide_shift_left(a, count);
    else if (atom == DW_OP_shr)
        a = wide_shift_right(a, count);
    else
        a = wide_shift_signed(wide_extend(a, bits), count);
    return of_bits(a, left->type, word_size);
}

static struct typed_number compute(uint8_t atom, const struct typed_number *left,
                                   const struct typed_number *right, struct location_type type,
                                   unsigned word_size)
{
    struct wide a = bits_of(left), b = bits_of(right);

    switch (atom) {
    case DW_OP_and:
        a = (struct wide){.low = a.low & b.low, .high = a.high & b.high};
        break;
    case DW_OP_or:
        a = (struct wide){.low = a.low | b.low, .high = a.high | b.high};
        break;
    case DW_OP_xor:
        a = (struct wide){.low = a.low ^ b.low, .high = a.high ^ b.high};
        break;
    case DW_OP_plus:
        a = wide_add(a, b);
        break;
    case DW_OP_minus:
        a = wide_subtract(a, b);
        break;
    case DW_OP_mul:
        a = wide_multiply(a, b);
        break;
    default:
        return not_computed(type, NUMBER_MALFORMED);
    }
    return of_bits(a, type, word_size);
}

/* ---- what operations take ---- */

static bool is_comparison(uint8_t atom)
{
    return atom >= DW_OP_eq && atom <= DW_OP_ne;
}

static bool is_shift(uint8_t atom)
{
    return atom == DW_OP_shl || atom == DW_OP_shr || atom == DW_OP_shra;
}

/*
 * Finds the operands' common type. A generic operand goes with an integer of the same size, as
 * clang writes it and gdb takes it; find_sign handles the signs. A shift's count is any integer.
 */
static bool agree(uint8_t atom, struct location_type left, struct location_type right,
                  unsigned word_size, struct location_type *type)
{
    enum number_class a = class_of(left), b = class_of(right);

    *type = a == CLASS_GENERIC && !is_shift(atom) ? right : left;
    if (is_shift(atom) && is_integer(a) && is_integer(b))
        return true;
    if (type_size(left, word_size) != type_size(right, word_size))
        return false;
    return a == b || (is_integer(a) && is_integer(b) && (a == CLASS_GENERIC || b == CLASS_GENERIC));
}

/*
 * Finds the sign of an operation that depends on it. False: one operand is generic, and its sign
 * beside the other one is not known.
 */
static bool find_sign(uint8_t atom, const struct typed_number *left,
                      const struct typed_number *right, unsigned word_size, bool *is_signed)
{
    enum number_class a = class_of(left->type), b = class_of(right->type);
    const struct typed_number *generic = a == CLASS_GENERIC ? left : right;
    bool generic_signed = atom != DW_OP_mod; /* 2.5.1.4: all others are */

    if (a == b) {
        *is_signed = a == CLASS_GENERIC ? generic_signed : a == CLASS_SIGNED;
        return true;
    }
    *is_signed = a == CLASS_SIGNED || b == CLASS_SIGNED;
    return *is_signed == generic_signed || atom == DW_OP_eq || atom == DW_OP_ne ||
           !sign_of(generic, word_size);
}

struct typed_number number_binary(uint8_t atom, const struct typed_number *left,
                                  const struct typed_number *right, unsigned word_size)
{
    struct location_type type, result = {0};
    enum number_class class;
    bool is_signed;

    if (!agree(atom, left->type, right->type, word_size, &type))
        return not_computed(is_comparison(atom) ? result : left->type, NUMBER_MIXED);
    if (!is_comparison(atom))
        result = type;
    if (!is_known(left->known) || !is_known(right->known))
        return number_unknown(result, is_known(left->known) ? right->known : left->known);
    class = class_of(type);
    if (class == CLASS_BYTES)
        return not_computed(result, NUMBER_NOT_COMPUTED);
    if (class == CLASS_FLOAT && is_comparison(atom))
        return compare_floats(atom, float_value(left), float_value(right), word_size);
    if (class == CLASS_FLOAT)
        return compute_floats(atom, float_value(left), float_value(right), type);
    if (is_shift(atom))
        return shift(atom, left, right, word_size);
    if (!is_comparison(atom) && atom != DW_OP_div && atom != DW_OP_mod)
        return compute(atom, left, right, type, word_size);
    if (!find_sign(atom, left, right, word_size, &is_signed))
        return not_computed(result, NUMBER_AMBIGUOUS);
    if (is_comparison(atom))
        return compare(atom, left, right, is_signed, word_size);
    return divide(atom, left, right, is_signed, type, word_size);
}

bool number_is_integer(const struct typed_number *number)
{
    return is_integer(class_of(number->type));
}

struct typed_number number_add(const struct typed_number *number, uint64_t operand,
                               unsigned word_size)
{
    if (!is_known(number->known))
        return *number;
    if (!number_is_integer(number))
        return not_computed(number->type, NUMBER_MALFORMED);
    return of_bits(wide_add(bits_of(number), (struct wide){.low = operand}), number->type,
                   word_size);
}

static struct typed_number unary_float(uint8_t atom, const struct typed_number *operand)
{
    double value = float_value(operand);

    if (atom == DW_OP_not)
        return not_computed(operand->type, NUMBER_MALFORMED);
    return of_float(atom == DW_OP_neg || signbit(value) ? -value : value, operand->type);
}

struct typed_number number_unary(uint8_t atom, const struct typed_number *operand,
                                 unsigned word_size)
{
    enum number_class class = class_of(operand->type);
    struct wide a = bits_of(operand);

    if (!is_known(operand->known))
        return *operand;
    if (class == CLASS_BYTES)
        return not_computed(operand->type, NUMBER_NOT_COMPUTED);
    if (class == CLASS_FLOAT)
        return unary_float(atom, operand);
    if (atom == DW_OP_not)
        return of_bits(wide_not(a), operand->type, word_size);
    if (atom == DW_OP_neg)
        return of_bits(wide_negate(a), operand->type, word_size);
    if (!sign_of(operand, word_size)) /* DW_OP_abs */
        return *operand;
    if (class == CLASS_UNSIGNED) /* the operation takes it as signed, gdb does not */
        return not_computed(operand->type, NUMBER_AMBIGUOUS);
    a = wide_cut(wide_negate(a), 8 * number_size(operand, word_size));
    if (a.low == operand->low && a.high == operand->high) /* no such positive number */
        return not_computed(operand->type, NUMBER_OUT_OF_RANGE);
    return of_bits(a, operand->type, word_size);
}
