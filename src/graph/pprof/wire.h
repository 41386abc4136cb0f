/* SPDX-License-Identifier: MIT */
/*
 * Reads the wire format of Protocol Buffers (https://protobuf.dev/programming-guides/encoding),
 * which output/proto.h writes: field by field, without copies.
 */
#ifndef GRAPH_PPROF_WIRE_H
#define GRAPH_PPROF_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cursor.h"
#include "base/status.h"

struct wire_field {
    uint32_t number;     /* 0: of a wire type that no known field has, to be skipped */
    bool is_bytes;       /* length-delimited; false: a number */
    uint64_t value;      /* valid of a number */
    struct cursor bytes; /* valid if is_bytes: a text, a message, packed numbers */
};

/* Fills *field with the message's next field. END; BAD_DATA: malformed, the cursor stays there. */
MUST_CHECK enum status wire_next(struct cursor *message, struct wire_field *field);

struct wire_numbers { /* its owner frees the list */
    uint64_t *list;
    size_t count, cap;
};

/* Appends the number, or the packed numbers, of a repeated field. BAD_DATA; NO_MEMORY. */
MUST_CHECK enum status wire_append(struct wire_numbers *numbers, const struct wire_field *field);

#endif
