/* SPDX-License-Identifier: MIT */
/* Makes text from files fit to print, and finishes outputs. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdio.h>

#include "base/status.h"

#define TEXT_NAME_MAX  4096 /* bytes of a name in the outputs; the rest becomes "..." */
#define TEXT_NAME_SEEN (TEXT_NAME_MAX + 4) /* a clean copy depends on no bytes behind these */

/* Whether control characters U+0001 to U+001F are kept: JSON can write them (as \u001b). */
enum text_controls { TEXT_REPLACE_CONTROLS, TEXT_KEEP_C0 };

/*
 * Returns a copy that is valid UTF-8. Each byte that is not part of it becomes U+FFFD. Control
 * characters become '?': C0 (unless kept), DELETE, C1, line separators, and characters that change
 * the direction of text. A copy of more than TEXT_NAME_MAX bytes is cut off there and gets "...".
 * malloc'ed; NULL: out of memory.
 */
char *text_clean(const char *text, enum text_controls controls);

/* Writes such a copy, without control characters, to `out`. Fails with NO_MEMORY only. */
MUST_CHECK enum status text_put_clean(const char *text, FILE *out);

/*
 * Replaces the same control characters in place, each byte by one '?', and also bytes 0x80 to 0x9f
 * that belong to no UTF-8 character. Other invalid bytes stay: file names need not be UTF-8.
 */
void text_disarm(char *text);

/* Returns the text behind the last '/', or all of `path` if there is none or nothing follows. */
const char *text_basename(const char *path);

/* Closes `memory`, an open_memstream that writes to *text. NO_MEMORY: *text is not complete. */
MUST_CHECK enum status text_close(FILE *memory, char *const *text);

/* Flushes `out`. IO: this, or something written before, failed. */
MUST_CHECK enum status text_finish(FILE *out);

#endif
