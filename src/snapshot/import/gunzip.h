/* SPDX-License-Identifier: MIT */
/*
 * Reads a whole input into memory, and decompresses the bytes if they are gzip (RFC 1952), for
 * formats that are parsed as a whole. Concatenated members form one text.
 */
#ifndef SNAPSHOT_IMPORT_GUNZIP_H
#define SNAPSHOT_IMPORT_GUNZIP_H

#include "snapshot/import/source.h"

/* Whether a file whose first `size` bytes are `head` is gzip. */
bool gunzip_begins(const uint8_t *head, size_t size);

/*
 * Reads `input` to its end, and sets *bytes to the decompressed *size bytes, malloc'ed, for the
 * caller to free; NULL if there are none. BAD_DATA (damaged, cut short, more than `max` bytes), IO,
 * NO_MEMORY, all with `diag` filled.
 */
MUST_CHECK enum status gunzip_input(struct source_input *input, size_t max, uint8_t **bytes,
                                    size_t *size, struct diag *diag);

#endif
