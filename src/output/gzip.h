/* SPDX-License-Identifier: MIT */
/*
 * A stream of bytes compressed as gzip (RFC 1952), without a time or a name in its header: the same
 * bytes give the same file.
 */
#ifndef OUTPUT_GZIP_H
#define OUTPUT_GZIP_H

#include <stddef.h>
#include <stdio.h>

#include "base/status.h"

struct gzip;

/* `out` is borrowed. */
MUST_CHECK enum status gzip_create(FILE *out, struct gzip **gzip);
void gzip_destroy(struct gzip *gzip);

/* Both: IO when `out` has failed. After the end nothing can be written. */
MUST_CHECK enum status gzip_write(struct gzip *gzip, const void *bytes, size_t size);
MUST_CHECK enum status gzip_end(struct gzip *gzip);

#endif
