/* SPDX-License-Identifier: MIT */
#include "variables/value/float.h"

#include <dwarf.h>
#include <stdio.h>
#include <string.h>

#include "arch/analysis/analysis.h"
#include "variables/value/decimal.h"

#define FLOAT_BYTES_MAX 16

struct float_format {
    unsigned bytes;         /* without padding */
    unsigned exponent_bits; /* below the sign, which is the highest bit */
    unsigned mantissa_bits; /* as stored */
    bool has_integer_bit;   /* in the mantissa; else it is implied */
    unsigned digits;        /* gdb's: man_len * log10(2) + 2 */
};

static const struct float_format half = {2, 5, 10, false, 5}, brain = {2, 8, 7, false, 4},
                                 single = {4, 8, 23, false, 9}, binary64 = {8, 11, 52, false, 17},
                                 x87 = {10, 15, 64, true, 21}, quad = {16, 15, 112, false, 36};

static const struct float_format *format_of(const struct value_source *source,
                                            const struct type *type, uint64_t size)
{
    const struct arch_analysis *analysis = arch_analysis(source->arch);
    const char *name = type->name ? type->name : "";

    switch (size) {
    case 2:
        return strstr(name, "bf16") || strstr(name, "bfloat16") ? &brain : &half;
    case 4:
        return &single;
    case 8:
        return &binary64;
    case 10:
    case 12:
        return &x87;
    case 16:
        return analysis && analysis->x87_long_double && !strstr(name, "128") ? &x87 : &quad;
    default:
        return NULL;
    }
}

/* `count` bits from `bit` on. */
static uint64_t bits_at(const uint8_t *bytes, unsigned bit, unsigned count)
{
    uint64_t word = 0;

    for (unsigned i = 0; i < count; i++)
        word |= (uint64_t)(bytes[(bit + i) / 8] >> (bit + i) % 8 & 1) << i;
    return word;
}

static void put_not_finite(struct telling *telling, const uint64_t mantissa[2],
                           const struct float_format *format)
{
    uint64_t low = mantissa[0];

    if (format->has_integer_bit)
        low &= UINT64_MAX >> 1;
    if (low == 0 && mantissa[1] == 0)
        telling_put(telling, "inf");
    else if (mantissa[1])
        telling_printf(telling, "nan(0x%llx%016llx)", (unsigned long long)mantissa[1],
                       (unsigned long long)mantissa[0]);
    else
        telling_printf(telling, "nan(0x%llx)", (unsigned long long)mantissa[0]);
}

static void put_float(struct telling *telling, const uint8_t *bytes,
                      const struct float_format *format)
{
    unsigned mantissa_bits = format->mantissa_bits;
    unsigned low_bits = mantissa_bits < 64 ? mantissa_bits : 64;
    uint64_t mantissa[2] = {bits_at(bytes, 0, low_bits),
                            bits_at(bytes, low_bits, mantissa_bits - low_bits)};
    unsigned stored = (unsigned)bits_at(bytes, mantissa_bits, format->exponent_bits);
    unsigned top = (1u << format->exponent_bits) - 1;
    unsigned fraction_bits = mantissa_bits - format->has_integer_bit;
    int exponent = (int)(stored ? stored : 1) - (int)(top >> 1) - (int)fraction_bits;
    bool has_integer = format->has_integer_bit && mantissa[0] >> 63;
    char text[DECIMAL_TEXT_MAX];

    if (format->has_integer_bit && stored && !has_integer) {
        telling_put(telling, "<invalid float value>");
        return;
    }
    if (bits_at(bytes, mantissa_bits + format->exponent_bits, 1))
        telling_put(telling, "-");
    if (stored == top) {
        put_not_finite(telling, mantissa, format);
        return;
    }
    if (stored && !format->has_integer_bit)
        mantissa[fraction_bits / 64] |= UINT64_C(1) << fraction_bits % 64;
    /* Removes trailing zeroes, to spare work. */
    while (exponent < 0 && mantissa[0] && !(mantissa[0] & 1)) {
        mantissa[0] = mantissa[0] >> 1 | mantissa[1] << 63;
        mantissa[1] >>= 1;
        exponent++;
    }
    telling_step(telling, (uint64_t)(exponent < 0 ? -exponent : exponent) / 4);
    decimal_float(mantissa, exponent, format->digits, text);
    telling_put(telling, text);
}

void tell_float(struct telling *telling, const struct value_view *view)
{
    bool is_complex = view->type->encoding == DW_ATE_complex_float;
    uint64_t size = is_complex ? view->type->size / 2 : view->type->size;
    const struct float_format *format =
        view->type->has_size ? format_of(telling->source, view->type, size) : NULL;
    uint8_t bytes[2 * FLOAT_BYTES_MAX];
    struct known_how known;

    if (!format) {
        telling_unknown(telling, unavailable("a float of unknown format"));
        return;
    }
    /* Without padding, which may be in no register. */
    known = telling_bytes(telling, view, bytes, (is_complex ? (size_t)size : 0) + format->bytes);
    if (!is_known(known)) {
        telling_unknown(telling, known);
        return;
    }
    telling_known(telling);
    put_float(telling, bytes, format);
    if (is_complex) {
        telling_put(telling, " + ");
        put_float(telling, bytes + size, format);
    }
    if (view->type->encoding != DW_ATE_float)
        telling_put(telling, "i");
}
