/* SPDX-License-Identifier: MIT */
/*
 * Makes text in an SVG file of Graphviz as wide in each viewer as in the layout.
 *
 * Graphviz lays out with the fonts of its machine, a viewer draws with its own: in DejaVu Sans text
 * is a seventh wider than in Arial, in a monospaced font a quarter, and would reach out of its
 * boxes. A viewer draws text with a textLength at that width, whatever the font: here the width
 * in Arial, for which the layout has room (dot.h).
 */
#ifndef OUTPUT_SVG_FIT_H
#define OUTPUT_SVG_FIT_H

#include <stddef.h>
#include <stdio.h>

/*
 * Copies an SVG file of `size` bytes to `out`, and adds a textLength to each <text>. Elements that
 * are not written the way Graphviz does are copied as they are. The caller checks `out`.
 */
void svg_fit(const char *svg, size_t size, FILE *out);

#endif
