/* SPDX-License-Identifier: MIT */
/*
 * Text for Graphviz: in quotes, and how wide it will be.
 */
#ifndef OUTPUT_DOT_TEXT_H
#define OUTPUT_DOT_TEXT_H

#include <stdint.h>
#include <stdio.h>

/*
 * Text inside a quoted DOT string that is an escString: a backslash or a quote stands for itself
 * only when escaped, and "&name;" would be read as an HTML entity. U+FFFE and U+FFFF, which XML has
 * not, become U+FFFD.
 */
void dot_put_text(FILE *out, const char *text);

/* The same of whole lines, which stand at the left. NULL: none. */
void dot_put_lines(FILE *out, const char *lines);

/*
 * How wide the widest line of a label is (svg_text_sans), whose text is from dot_put_text and whose
 * lines end in "\\n". 0 without memory.
 */
uint64_t dot_text_sans(const char *label);

#endif
