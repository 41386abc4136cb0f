/* SPDX-License-Identifier: MIT */
#include "variables/dwarf/wire.h"

#include <string.h>

#include "variables/dwarf/child_memory.h"

void wire_reset(struct wire_out *out)
{
    out->len = 0;
    out->is_over = false;
}

void wire_bytes(struct wire_out *out, const void *bytes, size_t size)
{
    if (size > WIRE_ANSWER_MAX - out->len) {
        out->is_over = true;
        return;
    }
    out->bytes = child_reserve(out->bytes, &out->cap, out->len + size, 1);
    if (size > 0)
        memcpy(out->bytes + out->len, bytes, size);
    out->len += size;
}

void wire_u8(struct wire_out *out, uint8_t value)
{
    wire_bytes(out, &value, sizeof(value));
}

void wire_u16(struct wire_out *out, uint16_t value)
{
    wire_bytes(out, &value, sizeof(value));
}

void wire_u32(struct wire_out *out, uint32_t value)
{
    wire_bytes(out, &value, sizeof(value));
}

void wire_u64(struct wire_out *out, uint64_t value)
{
    wire_bytes(out, &value, sizeof(value));
}

void wire_text(struct wire_out *out, const char *text)
{
    const size_t len = text ? strnlen(text, WIRE_TEXT_MAX) : 0;

    wire_u8(out, text != NULL);
    if (!text)
        return;
    wire_bytes(out, text, len);
    wire_u8(out, 0);
}

void wire_patch_u32(struct wire_out *out, size_t at, uint32_t value)
{
    if (at <= out->len && sizeof(value) <= out->len - at)
        memcpy(out->bytes + at, &value, sizeof(value));
}
