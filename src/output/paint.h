/* SPDX-License-Identifier: MIT */
/*
 * Colours for the lines of texts that people read: tree, top, chains, threads, stats, waits.
 *
 * Writers know of no colours: they count columns, and what they write goes into files as well. A
 * line is looked at when it is complete, and its parts are told by what the formats have in common:
 *
 *      60.00%   20.00%   120  |-- f [prog]       shares of 10 % on bold, below 1 % dim; modules dim
 *     #1  0x55d0 f+0x4 - /usr/bin/prog [fp]      what was found without unwind tables yellow
 *     lost: 12 % of samples                      caveats (struct output) yellow
 *     Deadlock: 2 threads wait for one another   red
 *
 * A name that looks like one of these is coloured like it, which harms nobody.
 */
#ifndef OUTPUT_PAINT_H
#define OUTPUT_PAINT_H

#include <stddef.h>

enum paint { PAINT_DIM, PAINT_BOLD, PAINT_CAUTION, PAINT_ALARM };

struct paint_span {
    size_t begin, end; /* in bytes of the line */
    enum paint paint;
};

#define PAINT_SPANS_MAX 32

/*
 * The parts of a line, which is without its end, that are not as usual, in their order; those
 * beyond the limit are left as they are. `caveats`: whole lines, may be NULL.
 */
size_t paint_line(const char *line, size_t size, const char *caveats,
                  struct paint_span spans[PAINT_SPANS_MAX]);

/* What begins it on a terminal, and what ends each. */
const char *paint_begin(enum paint paint);
#define PAINT_END "\033[m"

#endif
