/* SPDX-License-Identifier: MIT */
/*
 * The file of a page: its fixed parts (page_parts.h), and between them the title and, as base64 of
 * gzip, the data, the style and the script. The data are:
 *
 *         u32     bytes of the head, little-endian
 *         head    JSON, UTF-8
 *         bytes of the columns, one after the other
 */
#ifndef OUTPUT_HTML_CONTAINER_H
#define OUTPUT_HTML_CONTAINER_H

#include <stdio.h>

#include <jansson.h>

#include "base/status.h"
#include "output/html/page_columns.h"

/* Writes the file. `title`: raw bytes. NO_MEMORY; IO: `out` has failed. */
MUST_CHECK enum status container_write(const char *title, const json_t *head,
                                       const struct page_columns *columns, FILE *out);

#endif
