/* SPDX-License-Identifier: MIT */
#include "output/proto.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

#define VARINT_MAX 10

enum wire_type { WIRE_VARINT = 0, WIRE_LENGTH = 2 };

void proto_deinit(struct proto *proto)
{
    free(proto->bytes);
    *proto = (struct proto){0};
}

/* Writes seven bits a byte, the lowest first; all bytes but the last have bit 7 set. */
static size_t put_varint(uint8_t out[VARINT_MAX], uint64_t value)
{
    size_t n = 0;

    while (value >= 0x80) {
        out[n++] = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    out[n++] = (uint8_t)value;
    return n;
}

static size_t put_tag(uint8_t out[VARINT_MAX], uint32_t field, enum wire_type type)
{
    return put_varint(out, (uint64_t)field << 3 | type);
}

size_t proto_head(uint8_t head[PROTO_HEAD_MAX], uint32_t field, size_t size)
{
    size_t n = put_tag(head, field, WIRE_LENGTH);

    return n + put_varint(head + n, size);
}

static void append(struct proto *proto, const void *bytes, size_t size)
{
    if (size > SIZE_MAX - proto->len ||
        vec_reserve(&proto->bytes, &proto->cap, proto->len + size, 1) != STATUS_OK) {
        proto->failed = true;
        return;
    }
    if (size)
        memcpy(proto->bytes + proto->len, bytes, size);
    proto->len += size;
}

void proto_number(struct proto *proto, uint32_t field, uint64_t value)
{
    uint8_t bytes[2 * VARINT_MAX];
    size_t n;

    if (value == 0)
        return;
    n = put_tag(bytes, field, WIRE_VARINT);
    n += put_varint(bytes + n, value);
    append(proto, bytes, n);
}

void proto_bytes(struct proto *proto, uint32_t field, const void *bytes, size_t size)
{
    uint8_t head[PROTO_HEAD_MAX];

    append(proto, head, proto_head(head, field, size));
    append(proto, bytes, size);
}

void proto_message(struct proto *proto, uint32_t field, const struct proto *message)
{
    proto->failed |= message->failed;
    proto_bytes(proto, field, message->bytes, message->len);
}

void proto_packed(struct proto *proto, uint32_t field, const uint64_t *values, size_t count)
{
    uint8_t bytes[PROTO_HEAD_MAX];
    size_t size = 0;

    for (size_t i = 0; i < count; i++)
        size += put_varint(bytes, values[i]);
    append(proto, bytes, proto_head(bytes, field, size));
    for (size_t i = 0; i < count; i++)
        append(proto, bytes, put_varint(bytes, values[i]));
}
