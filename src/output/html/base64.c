/* SPDX-License-Identifier: MIT */
#include "output/html/base64.h"

#include <stdint.h>

static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Encodes one to three bytes. */
static void encode(const uint8_t *bytes, size_t size, char text[4])
{
    const uint32_t bits = (uint32_t)bytes[0] << 16 | (size > 1 ? (uint32_t)bytes[1] << 8 : 0) |
                          (size > 2 ? bytes[2] : 0);

    text[0] = DIGITS[bits >> 18];
    text[1] = DIGITS[bits >> 12 & 63];
    text[2] = size > 1 ? DIGITS[bits >> 6 & 63] : '=';
    text[3] = size > 2 ? DIGITS[bits & 63] : '=';
}

void base64_write(const void *bytes, size_t size, FILE *out)
{
    const uint8_t *next = bytes;
    char line[BASE64_LINE + 1];
    size_t length = 0;

    while (size) {
        const size_t part = size < 3 ? size : 3;

        encode(next, part, line + length);
        length += 4;
        next += part;
        size -= part;
        if (length == BASE64_LINE || !size) {
            line[length] = '\n';
            fwrite(line, 1, length + 1, out);
            length = 0;
        }
    }
}
