/* SPDX-License-Identifier: MIT */
/*
 * Builds messages in the wire format of Protocol Buffers
 * (https://protobuf.dev/programming-guides/encoding), as far as profile.proto needs it: varints,
 * and length-delimited strings, messages and packed numbers.
 *
 * A message is built in memory. When memory runs out `failed` is set; fields may still be added,
 * but the bytes are useless.
 */
#ifndef OUTPUT_PROTO_H
#define OUTPUT_PROTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROTO_HEAD_MAX 20 /* most bytes of a field's tag and length */

struct proto { /* zeroed: an empty message */
    uint8_t *bytes;
    size_t len, cap;
    bool failed;
};

void proto_deinit(struct proto *proto);

/* Empties the message and keeps its memory. */
static inline void proto_clear(struct proto *proto)
{
    proto->len = 0;
}

/*
 * Adds a number as field `field`; adds nothing for 0, the default. A negative int64 is given as its
 * two's complement.
 */
void proto_number(struct proto *proto, uint32_t field, uint64_t value);

/* Adds bytes or a string; adds a finished message. A message that has failed fails `proto`. */
void proto_bytes(struct proto *proto, uint32_t field, const void *bytes, size_t size);
void proto_message(struct proto *proto, uint32_t field, const struct proto *message);

/* Adds repeated numbers, packed; zeros are written, too. */
void proto_packed(struct proto *proto, uint32_t field, const uint64_t *values, size_t count);

/*
 * Fills `head` with the tag and length of a field of `size` bytes, whose bytes the caller writes
 * itself, and returns how many bytes of `head` are used.
 */
size_t proto_head(uint8_t head[PROTO_HEAD_MAX], uint32_t field, size_t size);

#endif
