/* SPDX-License-Identifier: MIT */
#include "base/cursor.h"

bool cursor_uint(struct cursor *c, unsigned size, uint64_t *out)
{
    uint8_t byte;
    uint16_t half;
    uint32_t word;

    switch (size) {
    case 1:
        if (!cursor_u8(c, &byte))
            return false;
        *out = byte;
        return true;
    case 2:
        if (!cursor_u16(c, &half))
            return false;
        *out = half;
        return true;
    case 4:
        if (!cursor_u32(c, &word))
            return false;
        *out = word;
        return true;
    case 8:
        return cursor_u64(c, out);
    default:
        return false;
    }
}

#define LEB_BITS_MAX 140 /* a number may be padded with groups, up to here */

/* Reads a LEB128 number. Bits beyond bit 63 must repeat the sign, or be 0 if it is unsigned. */
static bool leb_groups(struct cursor *c, bool is_signed, uint64_t *out)
{
    uint64_t value = 0;
    unsigned shift = 0;
    size_t pos = c->pos;
    uint8_t byte;

    do {
        uint8_t group, beyond;

        if (pos >= c->size || shift >= LEB_BITS_MAX)
            return false;
        byte = c->data[pos++];
        group = byte & 0x7f;
        if (shift < 64)
            value |= (uint64_t)group << shift;
        if (shift >= 63) {
            beyond = is_signed && value >> 63 ? 0x7f : 0;
            if (shift == 63 ? group >> 1 != beyond >> 1 : group != beyond)
                return false;
        }
        shift += 7;
    } while (byte & 0x80);
    if (is_signed && shift < 64 && (byte & 0x40))
        value |= ~UINT64_C(0) << shift;
    c->pos = pos;
    *out = value;
    return true;
}

bool cursor_long_uleb(struct cursor *c, uint64_t *out)
{
    return leb_groups(c, false, out);
}

bool cursor_sleb(struct cursor *c, int64_t *out)
{
    uint64_t value;

    if (!leb_groups(c, true, &value))
        return false;
    *out = (int64_t)value;
    return true;
}

bool cursor_string(struct cursor *c, const char **out)
{
    const uint8_t *start, *nul;

    if (cursor_left(c) == 0)
        return false;
    start = c->data + c->pos;
    nul = memchr(start, 0, cursor_left(c));
    if (!nul)
        return false;
    *out = (const char *)start;
    c->pos += (size_t)(nul - start) + 1;
    return true;
}
