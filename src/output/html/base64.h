/* SPDX-License-Identifier: MIT */
/* Bytes as text in lines (RFC 4648, section 4). Does not check the stream. */
#ifndef OUTPUT_HTML_BASE64_H
#define OUTPUT_HTML_BASE64_H

#include <stddef.h>
#include <stdio.h>

#define BASE64_LINE 120 /* characters, a multiple of 4 */

/* Writes lines of BASE64_LINE characters, the last one shorter, each with a newline. */
void base64_write(const void *bytes, size_t size, FILE *out);

#endif
