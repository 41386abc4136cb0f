/* SPDX-License-Identifier: MIT */
#include "output/dot_colour.h"

struct dot_colour dot_shade(const struct dot_colour scale[3], uint32_t points)
{
    const struct dot_colour *low = points < 5000 ? &scale[0] : &scale[1];
    uint32_t part = points < 5000 ? points : points - 5000;
    uint32_t rest = 5000 - part;

    return (struct dot_colour){.red = (low[0].red * rest + low[1].red * part) / 5000,
                               .green = (low[0].green * rest + low[1].green * part) / 5000,
                               .blue = (low[0].blue * rest + low[1].blue * part) / 5000};
}

uint32_t dot_root(uint32_t points)
{
    uint32_t low = 0;
    uint32_t high = 10000;

    while (low < high) {
        uint32_t middle = (low + high + 1) / 2;

        if ((uint64_t)middle * middle <= (uint64_t)points * 10000)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

struct dot_colour dot_shade_change(const struct dot_colour more[3], const struct dot_colour less[3],
                                   int32_t delta)
{
    return delta < 0 ? dot_shade(less, dot_root((uint32_t)-delta))
                     : dot_shade(more, dot_root((uint32_t)delta));
}
