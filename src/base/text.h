/* SPDX-License-Identifier: MIT */
/* Makes text from files fit to print, and finishes outputs. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdio.h>

#include "base/status.h"

#define TEXT_NAME_MAX  4096 /* most bytes of a name in outputs; what follows becomes "..." */
#define TEXT_NAME_SEEN (TEXT_NAME_MAX + 4) /* text_clean's result depends on no further bytes */

/* TEXT_KEEP_C0: control characters U+0001 to U+001F stay, as JSON can write them (\u001b). */
enum text_controls { TEXT_REPLACE_CONTROLS, TEXT_KEEP_C0 };

/*
 * Returns a malloc'ed copy of `text` that is valid UTF-8. Each byte that belongs to no UTF-8
 * character becomes U+FFFD. Control characters become '?': C0 (unless kept), DELETE, C1, line
 * separators, and characters that change the direction of text. A copy of more than TEXT_NAME_MAX
 * bytes is cut off there and gets "...". NULL: out of memory.
 */
char *text_clean(const char *text, enum text_controls controls);

/*
 * Writes text_clean(text, TEXT_REPLACE_CONTROLS) to `out`. Fails with NO_MEMORY only; errors of
 * `out` are its ferror(3).
 */
MUST_CHECK enum status text_put_clean(const char *text, FILE *out);

/*
 * Replaces in place, each byte by one '?': the control characters that text_clean replaces, C0
 * included, and bytes 0x80 to 0x9f that belong to no UTF-8 character. Other invalid bytes stay:
 * file names need not be UTF-8.
 */
void text_disarm(char *text);

/* Returns the part of `path` behind the last '/'; all of `path` if it has none or ends with it. */
const char *text_basename(const char *path);

/*
 * Closes `memory`, an open_memstream(3) that writes to *text, which the caller frees in any case.
 * NO_MEMORY: *text is NULL or incomplete.
 */
MUST_CHECK enum status text_close(FILE *memory, char *const *text);

/* Flushes `out`. IO: this, or an earlier write to `out`, failed. */
MUST_CHECK enum status text_finish(FILE *out);

#endif
