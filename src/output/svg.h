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

/* Width of a character of the monospaced font that pictures use, at 10 pixels. */
#define SVG_CELL 61

/* Writes tenths / 10, with a decimal unless that is 0: "12", "12.3". */
void svg_number(FILE *out, uint64_t tenths);

/*
 * Writes text, valid UTF-8 without control characters (text_clean), escaped for XML between tags or
 * in quotes. Characters that XML does not allow become U+FFFD.
 */
void svg_text(FILE *out, const char *text);

/*
 * Writes text like svg_text, at most `cells` wide (East Asian characters take two cells, others
 * one). Text that is too long is cut and ends in "…".
 */
void svg_text_cut(FILE *out, const char *text, size_t cells);

/*
 * Writes text like svg_text_cut, but "…" is in the middle of a text that is too long: before its
 * last `end` cells, or cells - 1 if `end` is more.
 */
void svg_text_middle(FILE *out, const char *text, size_t cells, size_t end);

/* Returns the number of cells that the text takes: two for an East Asian character, else one. */
size_t svg_text_cells(const char *text);

/*
 * Returns the width of the text in a sans-serif font (Helvetica, Arial, Liberation Sans), in
 * thousandths of the font's size; too much rather than too little for other scripts.
 */
uint64_t svg_text_sans(const char *text);

/* Writes <rect x=... y=... width=... height=... class="STYLE"; the caller ends the tag. */
void svg_rect(FILE *out, uint64_t x, uint64_t y, uint64_t width, uint64_t height,
              const char *style);

#endif
