/* SPDX-License-Identifier: MIT */
#include "variables/value/decimal.h"

#include <stdio.h>
#include <string.h>

/* 2^16500 times 2^128, or 5^16500 times it, which has 38312 bits. */
#define WORDS_MAX           1208
#define DIGITS_MAX          11640
#define DIGITS_OF_FLOAT_MAX 40

struct big_number {
    uint32_t words[WORDS_MAX]; /* the lowest first */
    size_t count;              /* the highest is not 0 */
    char digits[DIGITS_MAX];   /* the highest first */
    size_t digit_count;
};

static void multiply(struct big_number *big, uint32_t by)
{
    uint64_t carry = 0;

    for (size_t i = 0; i < big->count; i++) {
        carry += (uint64_t)big->words[i] * by;
        big->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry && big->count < WORDS_MAX)
        big->words[big->count++] = (uint32_t)carry;
}

/* Returns the rest. */
static uint32_t divide(struct big_number *big, uint32_t by)
{
    uint64_t rest = 0;

    for (size_t i = big->count; i-- > 0;) {
        rest = rest << 32 | big->words[i];
        big->words[i] = (uint32_t)(rest / by);
        rest %= by;
    }
    while (big->count > 0 && big->words[big->count - 1] == 0)
        big->count--;
    return (uint32_t)rest;
}

static void to_digits(struct big_number *big)
{
    size_t count = 0;

    while (big->count > 0) {
        uint32_t nine = divide(big, 1000000000);

        for (unsigned i = 0; i < 9 && (big->count > 0 || nine > 0); i++, nine /= 10)
            if (count < DIGITS_MAX)
                big->digits[count++] = (char)('0' + nine % 10);
    }
    for (size_t i = 0; i < count / 2; i++) {
        char digit = big->digits[i];

        big->digits[i] = big->digits[count - 1 - i];
        big->digits[count - 1 - i] = digit;
    }
    big->digit_count = count;
}

static void take_words(struct big_number *big, const uint64_t *words, size_t count)
{
    big->count = 0;
    for (size_t i = 0; i < count; i++) {
        big->words[big->count++] = (uint32_t)words[i];
        big->words[big->count++] = (uint32_t)(words[i] >> 32);
    }
    while (big->count > 0 && big->words[big->count - 1] == 0)
        big->count--;
}

void decimal_integer(const uint8_t *bytes, size_t size, bool is_signed, char text[DECIMAL_TEXT_MAX])
{
    uint64_t words[2] = {0};
    struct big_number big;
    bool is_negative;

    if (size > DECIMAL_INT_BYTES_MAX)
        size = DECIMAL_INT_BYTES_MAX;
    is_negative = is_signed && size > 0 && bytes[size - 1] & 0x80;
    for (size_t i = 0; i < DECIMAL_INT_BYTES_MAX; i++) {
        uint8_t byte = i < size ? bytes[i] : is_negative ? 0xff : 0;

        words[i / 8] |= (uint64_t)byte << 8 * (i % 8);
    }
    if (is_negative) {
        words[0] = ~words[0] + 1;
        words[1] = ~words[1] + (words[0] == 0);
    }
    take_words(&big, words, 2);
    to_digits(&big);
    snprintf(text, DECIMAL_TEXT_MAX, "%s%.*s", is_negative ? "-" : "",
             big.digit_count ? (int)big.digit_count : 1, big.digit_count ? big.digits : "0");
}

/* Rounds to `digits` digits; returns by how much the number of digits before the point grew. */
static int round_digits(struct big_number *big, unsigned digits)
{
    bool is_up, is_exact = true;
    size_t i;

    if (big->digit_count <= digits)
        return 0;
    for (i = digits + 1; i < big->digit_count; i++)
        is_exact = is_exact && big->digits[i] == '0';
    is_up = big->digits[digits] > '5' ||
            (big->digits[digits] == '5' && (!is_exact || (big->digits[digits - 1] - '0') % 2));
    big->digit_count = digits;
    for (i = digits; is_up && i-- > 0;) {
        is_up = big->digits[i] == '9';
        big->digits[i] = is_up ? '0' : (char)(big->digits[i] + 1);
    }
    if (!is_up)
        return 0;
    big->digits[0] = '1'; /* all digits were 9, and are 0 now */
    return 1;
}

/* Prints the digits with the point behind the first `before`, which may be more than there are. */
static void put_float(const struct big_number *big, int before, unsigned digits,
                      char text[DECIMAL_TEXT_MAX])
{
    int count = (int)big->digit_count, at;

    if (before - 1 < -4 || before > (int)digits) {
        at = snprintf(text, DECIMAL_TEXT_MAX, "%c%s%.*s", big->digits[0], count > 1 ? "." : "",
                      count - 1, big->digits + 1);
        snprintf(text + at, DECIMAL_TEXT_MAX - (size_t)at, "e%c%02d", before < 1 ? '-' : '+',
                 before < 1 ? 1 - before : before - 1);
    } else if (before <= 0) {
        snprintf(text, DECIMAL_TEXT_MAX, "0.%.*s%.*s", -before, "0000", count, big->digits);
    } else if (before >= count) {
        at = snprintf(text, DECIMAL_TEXT_MAX, "%.*s", count, big->digits);
        for (; count < before; count++)
            text[at++] = '0';
        text[at] = '\0';
    } else {
        snprintf(text, DECIMAL_TEXT_MAX, "%.*s.%.*s", before, big->digits, count - before,
                 big->digits + before);
    }
}

void decimal_float(const uint64_t mantissa[2], int exponent, unsigned digits,
                   char text[DECIMAL_TEXT_MAX])
{
    struct big_number big;
    int before;

    if (exponent > DECIMAL_EXPONENT_MAX)
        exponent = DECIMAL_EXPONENT_MAX;
    if (exponent < -DECIMAL_EXPONENT_MAX)
        exponent = -DECIMAL_EXPONENT_MAX;
    if (digits > DIGITS_OF_FLOAT_MAX)
        digits = DIGITS_OF_FLOAT_MAX;
    take_words(&big, mantissa, 2);
    if (big.count == 0) {
        strcpy(text, "0");
        return;
    }
    /* 2^-e is 5^e / 10^e. */
    for (int i = 0; i < exponent; i += 16)
        multiply(&big, UINT32_C(1) << (exponent - i < 16 ? exponent - i : 16));
    for (int i = 0; i > exponent; i--)
        multiply(&big, 5);
    to_digits(&big);
    before = (int)big.digit_count + (exponent < 0 ? exponent : 0);
    before += round_digits(&big, digits);
    while (big.digit_count > 1 && big.digits[big.digit_count - 1] == '0')
        big.digit_count--;
    put_float(&big, before, digits, text);
}
