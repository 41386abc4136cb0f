/* SPDX-License-Identifier: MIT */
/*
 * Take the lowest `bits` bits of an integer, for widths known only at run time. Every width is
 * allowed:
 *
 *     bits         0      1 ... 63                        64 and more
 *     bits_low     0      the lowest `bits` bits          the value
 *     bits_signed  0      the same bits, sign-extended    the value
 */
#ifndef BASE_BITS_H
#define BASE_BITS_H

#include <stdint.h>

static inline uint64_t bits_low(uint64_t value, uint64_t bits)
{
    return bits >= 64 ? value : value & ((UINT64_C(1) << bits) - 1);
}

static inline int64_t bits_signed(uint64_t value, uint64_t bits)
{
    const uint64_t sign = bits == 0 || bits >= 64 ? 0 : UINT64_C(1) << (bits - 1);

    return (int64_t)((bits_low(value, bits) ^ sign) - sign);
}

#endif
