/* SPDX-License-Identifier: MIT */
/*
 * Messages in the wire format of Protocol Buffers
 * (https://protobuf.dev/programming-guides/encoding), as far as profile.proto needs it: numbers as
 * varints, and what is length-delimited (strings, messages, packed numbers).
 *
 * A message is built in memory. Building goes on after memory ran out; `failed` says so then, and
 * the bytes are of no use.
 */
#ifndef OUTPUT_PROTO_H
#define OUTPUT_PROTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROTO_HEAD_MAX 20 /* a tag and a length */

struct proto { /* zeroed: an empty message */
    uint8_t *bytes;
    size_t len, cap;
    bool failed;
};

void proto_deinit(struct proto *proto);

/* Empties it and keeps its memory. */
static inline void proto_clear(struct proto *proto)
{
    proto->len = 0;
}

/* A number; 0 is what an absent one means and is left out. A negative int64 is its two's
 * complement. */
void proto_number(struct proto *proto, uint32_t field, uint64_t value);

void proto_bytes(struct proto *proto, uint32_t field, const void *bytes, size_t size);
void proto_message(struct proto *proto, uint32_t field, const struct proto *message);

/* Repeated numbers, packed; none is left out, whatever its value. */
void proto_packed(struct proto *proto, uint32_t field, const uint64_t *values, size_t count);

/* Tag and length before `size` bytes of `field`, written by the caller; the bytes used of `head`.
 */
size_t proto_head(uint8_t head[PROTO_HEAD_MAX], uint32_t field, size_t size);

#endif
