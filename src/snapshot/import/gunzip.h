/* SPDX-License-Identifier: MIT */
/*
 * Reads a whole input into memory and decompresses it if it is gzip (RFC 1952), for formats that
 * are parsed as a whole. Concatenated members form one text.
 */
#ifndef SNAPSHOT_IMPORT_GUNZIP_H
#define SNAPSHOT_IMPORT_GUNZIP_H

#include "snapshot/import/source.h"

/* Returns whether a file that begins with `head` is gzip. */
bool gunzip_begins(const uint8_t *head, size_t size);

/*
 * Reads `input` to its end. *bytes is malloc'ed and the caller's; NULL if there are none. BAD_DATA
 * (damaged, cut short, more than `max` bytes), IO, NO_MEMORY, all with `diag` filled.
 */
MUST_CHECK enum status gunzip_input(struct source_input *input, size_t max, uint8_t **bytes,
                                    size_t *size, struct diag *diag);

#endif
