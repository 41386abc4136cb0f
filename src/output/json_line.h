/* SPDX-License-Identifier: MIT */
/*
 * Builds a line of JSON Lines, an object, with Jansson. After a failure values may still be put,
 * but json_line_end does not write the line.
 */
#ifndef OUTPUT_JSON_LINE_H
#define OUTPUT_JSON_LINE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <jansson.h>

#include "base/status.h"
#include "graph/names.h"
#include "unwind/chain.h"

struct json_line {
    json_t *json; /* owned; the object */
    bool failed;  /* a value is missing: memory was short */
};

/* Has Jansson's failed allocations noted (shortage.h). To be called before all functions below. */
void json_set_memory(void);

/* Begins a line with "type": `type`; NULL: an object without a type, to put inside a line. */
struct json_line json_line_begin(const char *type);

/* Puts a value as `key`, and takes ownership of it in any case; NULL makes the line fail. */
void json_line_put(struct json_line *object, const char *key, json_t *value);

/*
 * Writes the object as a line and frees it. NO_MEMORY: the line has failed and is not written; IO:
 * `out` has failed.
 */
MUST_CHECK enum status json_line_end(FILE *out, struct json_line *object);

/* The functions below return new values, owned by the caller; NULL: out of memory. */
json_t *json_of_text(const char *raw); /* a string; wrong bytes of UTF-8 become U+FFFD */
/* Returns an integer, at most 2^63 - 1 (the greatest of other JSON programs): more become that. */
json_t *json_of_number(uint64_t value);
json_t *json_of_hex(uint64_t value);                      /* a string: "0x1f" */
json_t *json_of_bytes(const uint8_t *bytes, size_t size); /* a hexadecimal string; size <= 64 */

/* Returns the object of a frame's place (docs/formats/threads.md), with "pc" if `pc_known`. */
json_t *json_of_place(const struct names *names, const struct frame *frame, bool pc_known,
                      const struct place *place);

#endif
