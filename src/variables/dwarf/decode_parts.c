/* SPDX-License-Identifier: MIT */
#include "variables/dwarf/decode_parts.h"

#include <string.h>

#include "variables/dwarf/wire.h"

enum status decode_result(const struct answer_decoder *d, bool is_sound)
{
    if (is_sound)
        return STATUS_OK;
    return d->no_memory ? STATUS_NO_MEMORY : STATUS_BAD_DATA;
}

bool decode_array(struct answer_decoder *d, size_t count, size_t size, void **out)
{
    *out = NULL;
    if (count == 0)
        return true;
    *out = arena_alloc(d->arena, count * size);
    if (!*out) {
        d->no_memory = true;
        return false;
    }
    memset(*out, 0, count * size);
    return true;
}

bool decode_bool(struct answer_decoder *d, bool *out)
{
    uint8_t value;

    if (!cursor_u8(d->c, &value) || value > 1)
        return false;
    *out = value;
    return true;
}

bool decode_count(struct answer_decoder *d, uint32_t most, uint32_t *out)
{
    return cursor_u32(d->c, out) && *out <= most && *out <= cursor_left(d->c);
}

bool decode_text(struct answer_decoder *d, const char **out)
{
    const char *text;
    size_t len;
    bool is;

    *out = NULL;
    if (!decode_bool(d, &is))
        return false;
    if (!is)
        return true;
    if (!cursor_string(d->c, &text))
        return false;
    len = strlen(text);
    if (len > WIRE_TEXT_MAX)
        return false;
    *out = arena_join(d->arena, text, len, "");
    d->no_memory = d->no_memory || !*out;
    return *out;
}

bool decode_block(struct answer_decoder *d, const uint8_t **bytes, uint32_t *size)
{
    const uint8_t *from;
    void *copy;

    if (!cursor_u32(d->c, size) || *size > LOCATION_BLOCK_MAX ||
        !cursor_bytes(d->c, *size, &from) || !decode_array(d, *size, 1, &copy))
        return false;
    if (*size > 0)
        memcpy(copy, from, *size);
    *bytes = copy;
    return true;
}

static bool read_location(struct answer_decoder *d, unsigned nest, struct location *out);

static bool read_operation(struct answer_decoder *d, unsigned nest, struct location_op *out)
{
    struct location *inner;
    bool has_inner;

    if (!cursor_u8(d->c, &out->atom) || !cursor_u32(d->c, &out->off) ||
        !cursor_u64(d->c, &out->operand[0]) || !cursor_u64(d->c, &out->operand[1]) ||
        !cursor_u8(d->c, &out->type.encoding) || !cursor_u8(d->c, &out->type.size) ||
        !decode_block(d, &out->block, &out->block_size) || !decode_bool(d, &has_inner))
        return false;
    if (!has_inner)
        return true;
    if (!decode_array(d, 1, sizeof(*inner), (void **)&inner) || !read_location(d, nest + 1, inner))
        return false;
    out->inner = inner;
    return true;
}

static bool read_location(struct answer_decoder *d, unsigned nest, struct location *out)
{
    struct location_op *ops;
    uint32_t count;

    if (nest > LOCATION_NEST_MAX || !cursor_u32(d->c, &out->size) ||
        !decode_count(d, LOCATION_OPS_MAX, &count) ||
        !decode_array(d, count, sizeof(*ops), (void **)&ops))
        return false;
    for (uint32_t i = 0; i < count; i++)
        /* Branches find operations by their offsets, which ascend. */
        if (!read_operation(d, nest, &ops[i]) || (i > 0 && ops[i].off <= ops[i - 1].off) ||
            ops[i].off >= out->size)
            return false;
    out->ops = ops;
    out->count = count;
    return true;
}

bool decode_location(struct answer_decoder *d, struct location *out)
{
    return read_location(d, 0, out);
}
