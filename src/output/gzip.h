/* SPDX-License-Identifier: MIT */
/*
 * Compresses a stream of bytes as gzip (RFC 1952), without a time or a name in the header, so that
 * the same bytes give the same file.
 */
#ifndef OUTPUT_GZIP_H
#define OUTPUT_GZIP_H

#include <stddef.h>
#include <stdio.h>

#include "base/status.h"

struct gzip;

/* Begins a gzip file on `out`, which is borrowed. NO_MEMORY. */
MUST_CHECK enum status gzip_create(FILE *out, struct gzip **gzip);
void gzip_destroy(struct gzip *gzip);

/*
 * gzip_write compresses bytes; gzip_end finishes the file, after which gzip_write must not be
 * called. `out` is not flushed. IO: `out` has failed.
 */
MUST_CHECK enum status gzip_write(struct gzip *gzip, const void *bytes, size_t size);
MUST_CHECK enum status gzip_end(struct gzip *gzip);

#endif
