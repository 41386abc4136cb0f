/* SPDX-License-Identifier: MIT */
/*
 * Text for the outputs: names from files made fit to print, and the end of an output.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdio.h>

#include "base/status.h"

#define TEXT_NAME_MAX  4096 /* bytes of a name in the outputs; the rest becomes "..." */
#define TEXT_NAME_SEEN (TEXT_NAME_MAX + 4) /* bytes that decide what these are */

/* JSON can write U+0001 to U+001F (as \u001b), and keeps them. */
enum text_controls { TEXT_REPLACE_CONTROLS, TEXT_KEEP_C0 };

/*
 * A copy that is valid UTF-8: each byte that is not becomes U+FFFD; control characters, among them
 * C1, DELETE, and what separates lines or turns them around, become '?' unless kept. At most
 * TEXT_NAME_MAX bytes and "...". malloc'ed; NULL: out of memory.
 */
char *text_clean(const char *text, enum text_controls controls);

/* Writes such a copy, without control characters. Only NO_MEMORY fails. */
MUST_CHECK enum status text_put_clean(const char *text, FILE *out);

/*
 * The same characters become '?' where they are, one for each byte, and C1 as a single byte that
 * belongs to no character, too: for file names, which need not be UTF-8.
 */
void text_disarm(char *text);

/* What follows the last '/', or all of it. */
const char *text_basename(const char *path);

/* Closes an open_memstream whose text is `text`: NO_MEMORY when it is not all there. */
MUST_CHECK enum status text_close(FILE *memory, char *const *text);

/* Flushes: OK, or IO when anything written to `out` so far failed. */
MUST_CHECK enum status text_finish(FILE *out);

#endif
