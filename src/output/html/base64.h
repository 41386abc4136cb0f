/* SPDX-License-Identifier: MIT */
/* Bytes as base64 text (RFC 4648, section 4), in lines. The caller checks the stream for errors. */
#ifndef OUTPUT_HTML_BASE64_H
#define OUTPUT_HTML_BASE64_H

#include <stddef.h>
#include <stdio.h>

#define BASE64_LINE 120 /* characters of a line, a multiple of 4 */

/* Writes bytes as lines of BASE64_LINE characters, the last maybe shorter, each with a newline. */
void base64_write(const void *bytes, size_t size, FILE *out);

#endif
