/* SPDX-License-Identifier: MIT */
/*
 * The file that a page is: the fixed parts of it (page_parts.h), and between them the title, and
 * the data, the style and the script, each of them base64 of gzip. Of the data that is
 *
 *         u32     bytes of the head, little-endian
 *         head    JSON, UTF-8
 *         bytes of the columns
 */
#ifndef OUTPUT_HTML_CONTAINER_H
#define OUTPUT_HTML_CONTAINER_H

#include <stdio.h>

#include <jansson.h>

#include "base/status.h"
#include "output/html/page_columns.h"

/* `title` is raw. NO_MEMORY; IO: `out` has failed. */
MUST_CHECK enum status container_write(const char *title, const json_t *head,
                                       const struct page_columns *columns, FILE *out);

#endif
