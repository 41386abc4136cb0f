/* SPDX-License-Identifier: MIT */
/*
 * Integers of 128 bits in two's complement, for compilers and hosts without them. All operations
 * wrap; shifts are by 0 to 127 bits, divisors are not 0.
 */
#ifndef VARIABLES_MODEL_WIDE_H
#define VARIABLES_MODEL_WIDE_H

#include <stdbool.h>
#include <stdint.h>

struct wide {
    uint64_t low, high;
};

static inline bool wide_is_zero(struct wide a)
{
    return (a.low | a.high) == 0;
}

static inline bool wide_is_negative(struct wide a)
{
    return a.high >> 63;
}

static inline struct wide wide_not(struct wide a)
{
    return (struct wide){.low = ~a.low, .high = ~a.high};
}

static inline struct wide wide_add(struct wide a, struct wide b)
{
    uint64_t low = a.low + b.low;

    return (struct wide){.low = low, .high = a.high + b.high + (low < a.low)};
}

static inline struct wide wide_negate(struct wide a)
{
    return wide_add(wide_not(a), (struct wide){.low = 1});
}

static inline struct wide wide_subtract(struct wide a, struct wide b)
{
    return wide_add(a, wide_negate(b));
}

static inline struct wide wide_shift_left(struct wide a, unsigned bits)
{
    if (bits == 0)
        return a;
    if (bits >= 64)
        return (struct wide){.high = a.low << (bits - 64)};
    return (struct wide){.low = a.low << bits, .high = a.high << bits | a.low >> (64 - bits)};
}

static inline struct wide wide_shift_right(struct wide a, unsigned bits)
{
    if (bits == 0)
        return a;
    if (bits >= 64)
        return (struct wide){.low = a.high >> (bits - 64)};
    return (struct wide){.low = a.low >> bits | a.high << (64 - bits), .high = a.high >> bits};
}

/* Shifts right, and fills the high bits with the sign bit. */
static inline struct wide wide_shift_signed(struct wide a, unsigned bits)
{
    if (!wide_is_negative(a))
        return wide_shift_right(a, bits);
    return wide_not(wide_shift_right(wide_not(a), bits));
}

static inline bool wide_is_below(struct wide a, struct wide b)
{
    return a.high != b.high ? a.high < b.high : a.low < b.low;
}

static inline bool wide_is_less(struct wide a, struct wide b) /* compares as signed numbers */
{
    if (wide_is_negative(a) != wide_is_negative(b))
        return wide_is_negative(a);
    return wide_is_below(a, b);
}

/* Returns the lowest `bits` bits of `a`, zero-extended; `bits` is 1 to 128. */
static inline struct wide wide_cut(struct wide a, unsigned bits)
{
    return wide_shift_right(wide_shift_left(a, 128 - bits), 128 - bits);
}

/* Returns the lowest `bits` bits of `a`, sign-extended; `bits` is 1 to 128. */
static inline struct wide wide_extend(struct wide a, unsigned bits)
{
    return wide_shift_signed(wide_shift_left(a, 128 - bits), 128 - bits);
}

struct wide wide_multiply(struct wide a, struct wide b);

/* Divides as unsigned numbers; sets *rest to the remainder. */
struct wide wide_divide(struct wide a, struct wide b, struct wide *rest);

/* Divides as signed numbers and rounds towards zero, as in C; *rest has the sign of `a`. */
struct wide wide_divide_signed(struct wide a, struct wide b, struct wide *rest);

#endif
