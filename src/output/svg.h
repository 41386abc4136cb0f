/* SPDX-License-Identifier: MIT */
/*
 * Pieces of SVG for pictures that this program draws itself: numbers that do not depend on the
 * locale, and text from files, cleaned, cut to what fits and escaped.
 *
 * Lengths are in tenths of a pixel. Nothing here checks the stream; text_finish does.
 */
#ifndef OUTPUT_SVG_H
#define OUTPUT_SVG_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Of the monospaced font that pictures use, at 10 pixels: what a character takes. */
#define SVG_CELL 61

/* "12" or "12.3". */
void svg_number(FILE *out, uint64_t tenths);

/*
 * `text`, valid UTF-8 without control characters (text_clean), between tags or in quotes. What XML
 * does not allow becomes U+FFFD.
 */
void svg_text(FILE *out, const char *text);

/* The same, at most `cells` wide; what is cut ends in "…". East Asian characters take two. */
void svg_text_cut(FILE *out, const char *text, size_t cells);

/* The same, but cut before its last `end` cells, which stay, as far as there is room. */
void svg_text_middle(FILE *out, const char *text, size_t cells, size_t end);

/* The cells that the text takes. */
size_t svg_text_cells(const char *text);

/*
 * How wide the text is in a sans-serif font (Helvetica, Arial, Liberation Sans), in thousandths of
 * its size.
 */
uint64_t svg_text_sans(const char *text);

/* <rect x=… y=… width=… height=… class="CLASS", not ended. */
void svg_rect(FILE *out, uint64_t x, uint64_t y, uint64_t width, uint64_t height,
              const char *style);

#endif
