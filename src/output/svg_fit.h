/* SPDX-License-Identifier: MIT */
/*
 * Makes the text of an SVG file that Graphviz has drawn as wide in each viewer as in the layout.
 *
 * Graphviz lays out with the fonts of its machine, a viewer draws with those of its own: of DejaVu
 * Sans text is a seventh wider than of Arial, and of a monospaced font a quarter. So it would reach
 * out of its boxes, and over others. With a textLength a viewer sets it as wide as that says, in
 * whatever font: as wide as it is in Arial, for which the layout has room (dot.h).
 */
#ifndef OUTPUT_SVG_FIT_H
#define OUTPUT_SVG_FIT_H

#include <stddef.h>
#include <stdio.h>

/*
 * Copies the file, with a textLength in each <text>. What is not as Graphviz writes it stays as it
 * is. Does not check the stream; text_finish does.
 */
void svg_fit(const char *svg, size_t size, FILE *out);

#endif
