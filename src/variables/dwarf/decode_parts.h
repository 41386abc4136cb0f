/* SPDX-License-Identifier: MIT */
/* For decode.c and decode_type.c: what answers are made of. False: no memory, or not sound. */
#ifndef VARIABLES_DWARF_DECODE_PARTS_H
#define VARIABLES_DWARF_DECODE_PARTS_H

#include "variables/dwarf/decode.h"

struct answer_decoder {
    struct cursor *c;
    struct arena *arena;
    const struct decode_names *names;
    bool no_memory;
};

/* The status of a whole answer. */
enum status decode_result(const struct answer_decoder *d, bool is_sound);

/* Zeroed; NULL, with true, where `count` is 0. */
MUST_CHECK bool decode_array(struct answer_decoder *d, size_t count, size_t size, void **out);
MUST_CHECK bool decode_bool(struct answer_decoder *d, bool *out);
/* Not more than `most`, nor than there are bytes left. */
MUST_CHECK bool decode_count(struct answer_decoder *d, uint32_t most, uint32_t *out);
/* NULL: there is none. */
MUST_CHECK bool decode_text(struct answer_decoder *d, const char **out);
MUST_CHECK bool decode_block(struct answer_decoder *d, const uint8_t **bytes, uint32_t *size);
MUST_CHECK bool decode_location(struct answer_decoder *d, struct location *out);

#endif
