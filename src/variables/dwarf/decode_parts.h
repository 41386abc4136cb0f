/* SPDX-License-Identifier: MIT */
/* For decode.c and decode_type.c: parts of answers. False: no memory (d->no_memory), or unsound. */
#ifndef VARIABLES_DWARF_DECODE_PARTS_H
#define VARIABLES_DWARF_DECODE_PARTS_H

#include "variables/dwarf/decode.h"

struct answer_decoder {
    struct cursor *c;
    struct arena *arena;
    const struct decode_names *names;
    bool no_memory;
};

/* Returns the status of the whole answer. */
enum status decode_result(const struct answer_decoder *d, bool is_sound);

/* Allocates `count` zeroed elements of `size` bytes; NULL, with true, for a count of 0. */
MUST_CHECK bool decode_array(struct answer_decoder *d, size_t count, size_t size, void **out);
MUST_CHECK bool decode_bool(struct answer_decoder *d, bool *out);
/* Reads a count; at most `most`, and at most the bytes that are left. */
MUST_CHECK bool decode_count(struct answer_decoder *d, uint32_t most, uint32_t *out);
/* Copies a text; *out NULL, with true: none. */
MUST_CHECK bool decode_text(struct answer_decoder *d, const char **out);
MUST_CHECK bool decode_block(struct answer_decoder *d, const uint8_t **bytes, uint32_t *size);
MUST_CHECK bool decode_location(struct answer_decoder *d, struct location *out);

#endif
