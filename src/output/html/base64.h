/* SPDX-License-Identifier: MIT */
/* Bytes as text (RFC 4648, section 4), in lines. Who wrote all checks the stream. */
#ifndef OUTPUT_HTML_BASE64_H
#define OUTPUT_HTML_BASE64_H

#include <stddef.h>
#include <stdio.h>

#define BASE64_LINE 120 /* characters, a multiple of 4 */

/* A newline follows each line. */
void base64_write(const void *bytes, size_t size, FILE *out);

#endif
