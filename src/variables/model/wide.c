/* SPDX-License-Identifier: MIT */
#include "variables/model/wide.h"

/* All 128 bits of a product, by halves. */
static struct wide multiply_words(uint64_t a, uint64_t b)
{
    uint64_t a_low = (uint32_t)a, a_high = a >> 32, b_low = (uint32_t)b, b_high = b >> 32;
    uint64_t low = a_low * b_low;
    uint64_t middle = a_high * b_low + (low >> 32); /* cannot overflow: (2^32-1)^2 + 2^32-1 */
    uint64_t other = a_low * b_high + (uint32_t)middle;

    return (struct wide){.low = other << 32 | (uint32_t)low,
                         .high = a_high * b_high + (middle >> 32) + (other >> 32)};
}

struct wide wide_multiply(struct wide a, struct wide b)
{
    struct wide product = multiply_words(a.low, b.low);

    product.high += a.low * b.high + a.high * b.low;
    return product;
}

struct wide wide_divide(struct wide a, struct wide b, struct wide *rest)
{
    struct wide quotient = {0}, left = {0};

    if (a.high == 0 && b.high == 0) {
        *rest = (struct wide){.low = a.low % b.low};
        return (struct wide){.low = a.low / b.low};
    }
    for (unsigned bit = 128; bit-- > 0;) {
        /* left < b: what is shifted out of it makes it larger than any b */
        bool is_larger = wide_is_negative(left);

        left = wide_shift_left(left, 1);
        left.low |= wide_shift_right(a, bit).low & 1;
        quotient = wide_shift_left(quotient, 1);
        if (is_larger || !wide_is_below(left, b)) {
            left = wide_subtract(left, b);
            quotient.low |= 1;
        }
    }
    *rest = left;
    return quotient;
}

struct wide wide_divide_signed(struct wide a, struct wide b, struct wide *rest)
{
    bool a_negative = wide_is_negative(a), b_negative = wide_is_negative(b);
    struct wide quotient =
        wide_divide(a_negative ? wide_negate(a) : a, b_negative ? wide_negate(b) : b, rest);

    if (a_negative)
        *rest = wide_negate(*rest);
    return a_negative != b_negative ? wide_negate(quotient) : quotient;
}
