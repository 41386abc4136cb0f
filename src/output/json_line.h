/* SPDX-License-Identifier: MIT */
/*
 * A line of the formats that are JSON Lines: an object in the making. Building goes on after a
 * failure; the line is then not written.
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

/* Before all others: failed allocations of Jansson's, too, are noted (shortage.h). */
void json_set_memory(void);

/* `type` may be NULL: an object inside a line. */
struct json_line json_line_begin(const char *type);

/* Takes the value, also where it is NULL or the line has failed. */
void json_line_put(struct json_line *object, const char *key, json_t *value);

/* Writes the line and lets go of the object. */
MUST_CHECK enum status json_line_end(FILE *out, struct json_line *object);

/* Values, NULL: out of memory. A text is made valid UTF-8. */
json_t *json_of_text(const char *raw);
/* JSON integers of other programs end at 63 bits: a greater number becomes the greatest of them. */
json_t *json_of_number(uint64_t value);
json_t *json_of_hex(uint64_t value);
json_t *json_of_bytes(const uint8_t *bytes, size_t size);

/* One place of a frame, as docs/formats/threads.md has it; "pc" where that is known. */
json_t *json_of_place(const struct names *names, const struct frame *frame, bool pc_known,
                      const struct place *place);

#endif
