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
    uint32_t number; /* of the field; 0: of a wire type that no known field has, to be skipped */
    bool is_bytes;   /* the field is length-delimited; false: it is a number */
    uint64_t value;  /* the number, unless is_bytes */
    struct cursor bytes; /* if is_bytes: a text, a message, or packed numbers; borrowed */
};

/*
 * Fills *field with the next field of `message` and moves the cursor behind it. END: there are no
 * more fields; BAD_DATA: the field is malformed, and the cursor stays before it.
 */
MUST_CHECK enum status wire_next(struct cursor *message, struct wire_field *field);

struct wire_numbers { /* zeroed: empty; its owner frees `list` */
    uint64_t *list;
    size_t count, cap;
};

/*
 * Appends the number, or the packed numbers, of a repeated field. BAD_DATA: packed numbers are
 * malformed (those before the fault were appended); NO_MEMORY.
 */
MUST_CHECK enum status wire_append(struct wire_numbers *numbers, const struct wire_field *field);

#endif
