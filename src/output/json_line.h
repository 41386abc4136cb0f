/* SPDX-License-Identifier: MIT */
/*
 * Builds a line of JSON Lines, an object, with Jansson. After a failure building goes on, and the
 * line is not written in the end.
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
    json_t *json;
    bool failed;
};

/* Has failed allocations of Jansson noted (shortage.h). Call it before all others. */
void json_set_memory(void);

/* Begins a line with this "type"; NULL: an object inside a line. */
struct json_line json_line_begin(const char *type);

/* Puts the value and owns it, whatever happens; NULL makes the line fail. */
void json_line_put(struct json_line *object, const char *key, json_t *value);

/* Writes the line, unless it has failed (NO_MEMORY), and frees the object. IO: `out` has failed. */
MUST_CHECK enum status json_line_end(FILE *out, struct json_line *object);

/* Return values; NULL: out of memory. */
json_t *json_of_text(const char *raw); /* wrong bytes of UTF-8 become U+FFFD */
/* Numbers above 2^63 - 1, the greatest integer of other JSON programs, become that. */
json_t *json_of_number(uint64_t value);
json_t *json_of_hex(uint64_t value);                      /* "0x1f" */
json_t *json_of_bytes(const uint8_t *bytes, size_t size); /* hexadecimal; at most 64 bytes */

/* Returns a place of a frame (docs/formats/threads.md), with "pc" if `pc_known`. */
json_t *json_of_place(const struct names *names, const struct frame *frame, bool pc_known,
                      const struct place *place);

#endif
