/* SPDX-License-Identifier: MIT */
/*
 * Decodes parts of answers, for decode.c and decode_type.c. All functions that return a bool return
 * false if the answer is unsound, or without memory, which sets d->no_memory.
 */
#ifndef VARIABLES_DWARF_DECODE_PARTS_H
#define VARIABLES_DWARF_DECODE_PARTS_H

#include "variables/dwarf/decode.h"

struct answer_decoder {
    struct cursor *c;
    struct arena *arena;
    const struct decode_names *names;
    bool no_memory;
};

/*
 * Returns the status of a whole answer: OK if `is_sound`, else NO_MEMORY if d->no_memory, else
 * BAD_DATA.
 */
enum status decode_result(const struct answer_decoder *d, bool is_sound);

/* Sets *out to `count` zeroed elements of `size` bytes in the arena; to NULL for a count of 0. */
MUST_CHECK bool decode_array(struct answer_decoder *d, size_t count, size_t size, void **out);
MUST_CHECK bool decode_bool(struct answer_decoder *d, bool *out);
/* Reads a count; false also if it is more than `most`, or than the bytes that are left. */
MUST_CHECK bool decode_count(struct answer_decoder *d, uint32_t most, uint32_t *out);
/*
 * Reads a text, and sets *out to a copy in the arena; to NULL if the answer says that there is
 * none.
 */
MUST_CHECK bool decode_text(struct answer_decoder *d, const char **out);
MUST_CHECK bool decode_block(struct answer_decoder *d, const uint8_t **bytes, uint32_t *size);
MUST_CHECK bool decode_location(struct answer_decoder *d, struct location *out);

#endif
