/* SPDX-License-Identifier: MIT */
/*
 * Decompresses an input that is gzip (RFC 1952), for source_read. Concatenated members form one
 * text.
 */
#ifndef SNAPSHOT_IMPORT_GUNZIP_H
#define SNAPSHOT_IMPORT_GUNZIP_H

#include "snapshot/import/source.h"

/* Most bytes that are decompressed of an input. Few bytes may stand for many. */
#define GUNZIP_MAX (UINT64_C(4) << 30)

struct gunzip;

/* Whether a file whose first `size` bytes are `head` is gzip. */
bool gunzip_begins(const uint8_t *head, size_t size);

/* Begins to decompress `input`, a copy; name and descriptor are borrowed. NO_MEMORY. */
MUST_CHECK enum status gunzip_create(const struct source_input *input, struct gunzip **out);
void gunzip_destroy(struct gunzip *gunzip);

/*
 * Decompresses at most `size` bytes, as read(2); 0: that was all, or the input is cut short, which
 * gunzip_problem says. Fails with -errno; gunzip_problem says why.
 */
int64_t gunzip_read(struct gunzip *gunzip, void *buffer, uint64_t size);

/* Returns what was wrong with the compressed data, or NULL. Owned by `gunzip`. */
const struct diag *gunzip_problem(const struct gunzip *gunzip);

#endif
