/* SPDX-License-Identifier: MIT */
/* The colours of a drawn graph: scales of three, for shares 0, 1/2 and 1 in ten thousandths. */
#ifndef OUTPUT_DOT_COLOUR_H
#define OUTPUT_DOT_COLOUR_H

#include <stdint.h>

struct dot_colour {
    uint32_t red, green, blue;
};

/* `points` of 10000. */
struct dot_colour dot_shade(const struct dot_colour scale[3], uint32_t points);

/* 10000 × the square root of points/10000. */
uint32_t dot_root(uint32_t points);

/* How the share changed, by -10000 to 10000; small changes have to be seen, too. */
struct dot_colour dot_shade_change(const struct dot_colour more[3], const struct dot_colour less[3],
                                   int32_t delta);

#endif
