/* SPDX-License-Identifier: MIT */
#include "graph/pprof/wire.h"

#include "base/vec.h"

enum wire_type { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_LENGTH = 2, WIRE_FIXED32 = 5 };

#define FIELD_NUMBER_MAX ((1u << 29) - 1)

static bool take(struct cursor *c, struct wire_field *field)
{
    const uint8_t *bytes;
    uint64_t tag, size;

    if (!cursor_uleb(c, &tag) || tag >> 3 == 0 || tag >> 3 > FIELD_NUMBER_MAX)
        return false;
    *field = (struct wire_field){.number = (uint32_t)(tag >> 3)};
    switch (tag & 7) {
    case WIRE_VARINT:
        return cursor_uleb(c, &field->value);
    case WIRE_LENGTH:
        field->is_bytes = true;
        if (!cursor_uleb(c, &size) || !cursor_bytes(c, size, &bytes))
            return false;
        field->bytes = cursor_init(bytes, (size_t)size);
        return true;
    case WIRE_FIXED64:
        field->number = 0;
        return cursor_skip(c, 8);
    case WIRE_FIXED32:
        field->number = 0;
        return cursor_skip(c, 4);
    default: /* groups, which nobody writes any more, and what is no type */
        return false;
    }
}

enum status wire_next(struct cursor *message, struct wire_field *field)
{
    struct cursor c = *message;

    if (cursor_left(&c) == 0)
        return STATUS_END;
    if (!take(&c, field))
        return STATUS_BAD_DATA;
    *message = c;
    return STATUS_OK;
}

static enum status append(struct wire_numbers *numbers, uint64_t value)
{
    if (vec_reserve(&numbers->list, &numbers->cap, numbers->count + 1, sizeof(*numbers->list)) !=
        STATUS_OK)
        return STATUS_NO_MEMORY;
    numbers->list[numbers->count++] = value;
    return STATUS_OK;
}

enum status wire_append(struct wire_numbers *numbers, const struct wire_field *field)
{
    struct cursor packed = field->bytes;
    enum status status = STATUS_OK;
    uint64_t value;

    if (!field->is_bytes)
        return append(numbers, field->value);
    while (status == STATUS_OK && cursor_left(&packed) > 0) {
        if (!cursor_uleb(&packed, &value))
            return STATUS_BAD_DATA;
        status = append(numbers, value);
    }
    return status;
}
