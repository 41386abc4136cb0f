/* SPDX-License-Identifier: MIT */
/* Colours of a drawn graph, on scales of three colours, for 0, 5000 and 10000 points. */
#ifndef OUTPUT_DOT_COLOUR_H
#define OUTPUT_DOT_COLOUR_H

#include <stdint.h>

struct dot_colour {
    uint32_t red, green, blue; /* each from 0 to 255 */
};

/* Returns the colour at `points`, 0 to 10000: a mix of the two colours of the scale around it. */
struct dot_colour dot_shade(const struct dot_colour scale[3], uint32_t points);

/* Returns 10000 × the square root of points/10000, rounded down; `points` is at most 10000. */
uint32_t dot_root(uint32_t points);

/*
 * Returns the colour for a change `delta` of a share, -10000 to 10000, on the scale `less` or
 * `more`, at dot_root(|delta|), so that small changes show.
 */
struct dot_colour dot_shade_change(const struct dot_colour more[3], const struct dot_colour less[3],
                                   int32_t delta);

#endif
