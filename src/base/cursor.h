/* SPDX-License-Identifier: MIT */
/*
 * Reads little-endian data with bounds checks; all bytes from outside are read so. A read that does
 * not fit returns false, and leaves the output and the position as they were.
 */
#ifndef BASE_CURSOR_H
#define BASE_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/status.h"

struct cursor {
    const uint8_t *data; /* borrowed */
    size_t size;
    size_t pos; /* <= size */
};

static inline struct cursor cursor_init(const void *data, size_t size)
{
    return (struct cursor){.data = data, .size = size, .pos = 0};
}

static inline size_t cursor_left(const struct cursor *c)
{
    return c->size - c->pos;
}

MUST_CHECK static inline bool cursor_skip(struct cursor *c, uint64_t n)
{
    if (n > cursor_left(c))
        return false;
    c->pos += (size_t)n;
    return true;
}

/* Sets *out to the next n bytes, borrowed from the data, and skips them. False: fewer are left. */
MUST_CHECK static inline bool cursor_bytes(struct cursor *c, uint64_t n, const uint8_t **out)
{
    if (n > cursor_left(c))
        return false;
    *out = c->data + c->pos;
    c->pos += (size_t)n;
    return true;
}

#define CURSOR_FIXED(name, type)                                                                   \
    MUST_CHECK static inline bool name(struct cursor *c, type *out)                                \
    {                                                                                              \
        if (sizeof(*out) > cursor_left(c))                                                         \
            return false;                                                                          \
        memcpy(out, c->data + c->pos, sizeof(*out));                                               \
        c->pos += sizeof(*out);                                                                    \
        return true;                                                                               \
    }
CURSOR_FIXED(cursor_u8, uint8_t)
CURSOR_FIXED(cursor_u16, uint16_t)
CURSOR_FIXED(cursor_u32, uint32_t)
CURSOR_FIXED(cursor_u64, uint64_t)
CURSOR_FIXED(cursor_i64, int64_t)
#undef CURSOR_FIXED

/*
 * Reads an unsigned value of `size` bytes: 1, 2, 4 or 8. False, without a change: fewer bytes are
 * left, or another size.
 */
MUST_CHECK bool cursor_uint(struct cursor *c, unsigned size, uint64_t *out);

/*
 * Read an unsigned, a signed LEB128 number (DWARF 5 section 7.6). False, without a change: it is
 * cut off, does not fit 64 bits, or is padded to more than 20 bytes.
 */
MUST_CHECK bool cursor_long_uleb(struct cursor *c, uint64_t *out);
MUST_CHECK bool cursor_sleb(struct cursor *c, int64_t *out);

/* Does the same as cursor_long_uleb, but reads numbers of one byte, nearly all, without a call. */
MUST_CHECK static inline bool cursor_uleb(struct cursor *c, uint64_t *out)
{
    if (c->pos < c->size && c->data[c->pos] < 0x80) {
        *out = c->data[c->pos++];
        return true;
    }
    return cursor_long_uleb(c, out);
}

/*
 * Sets *out to the NUL-terminated string at the position, borrowed from the data, and skips it with
 * its NUL. False, without a change: no NUL follows.
 */
MUST_CHECK bool cursor_string(struct cursor *c, const char **out);

#endif
