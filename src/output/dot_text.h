/* SPDX-License-Identifier: MIT */
/*
 * Text for Graphviz: quoting it, and its width.
 */
#ifndef OUTPUT_DOT_TEXT_H
#define OUTPUT_DOT_TEXT_H

#include <stdint.h>
#include <stdio.h>

/*
 * Writes text for inside a quoted DOT string that is an escString: escapes backslashes and quotes,
 * writes "&" as "&amp;", newlines as "\n" (centred lines), and U+FFFE and U+FFFF, which XML does
 * not have, as U+FFFD.
 */
void dot_put_text(FILE *out, const char *text);

/* Writes text like dot_put_text, but newlines as "\l" (lines at the left). NULL: nothing. */
void dot_put_lines(FILE *out, const char *lines);

/*
 * Returns the width of the widest line of a label that dot_put_text has written, in the unit of
 * svg_text_sans. 0: out of memory, or an empty label.
 */
uint64_t dot_text_sans(const char *label);

#endif
