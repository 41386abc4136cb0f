/* SPDX-License-Identifier: MIT */
/*
 * Reading the wire format of Protocol Buffers (https://protobuf.dev/programming-guides/encoding),
 * the other way of output/proto.h: field by field, nothing is copied.
 */
#ifndef GRAPH_PPROF_WIRE_H
#define GRAPH_PPROF_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cursor.h"
#include "base/status.h"

struct wire_field {
    uint32_t number;     /* 0: of a kind that no field which we know has, to be skipped */
    bool is_bytes;       /* else it is a number */
    uint64_t value;      /* of a number */
    struct cursor bytes; /* of what is length-delimited: a text, a message, packed numbers */
};

/*
 * The next field of a message. END; BAD_DATA: it does not fit, and the cursor is where it begins.
 */
MUST_CHECK enum status wire_next(struct cursor *message, struct wire_field *field);

struct wire_numbers { /* its owner frees the list */
    uint64_t *list;
    size_t count, cap;
};

/* Adds the number, or the packed ones, of a repeated field. BAD_DATA; NO_MEMORY. */
MUST_CHECK enum status wire_append(struct wire_numbers *numbers, const struct wire_field *field);

#endif
