/* SPDX-License-Identifier: MIT */
/*
 * Colours the lines of texts for people: tree, top, chains, threads, stats, waits.
 *
 * The writers of these formats know nothing of colours. A complete line is searched for parts that
 * the formats have in common:
 *
 *      60.00%   20.00%   120  |-- f [prog]       shares from 10 % bold, below 1 % dim; modules dim
 *     #1  0x55d0 f+0x4 - /usr/bin/prog [fp]      frames found without unwind tables yellow
 *     lost: 12 % of samples                      caveats (struct output) yellow
 *     Deadlock: 2 threads wait for one another   red
 *
 * A name that looks like such a part is coloured, too, which does no harm.
 */
#ifndef OUTPUT_PAINT_H
#define OUTPUT_PAINT_H

#include <stddef.h>

enum paint { PAINT_DIM, PAINT_BOLD, PAINT_CAUTION, PAINT_ALARM };

struct paint_span {
    size_t begin, end; /* byte offsets in the line */
    enum paint paint;
};

#define PAINT_SPANS_MAX 32

/*
 * Fills `spans` with the parts of a line (`size` bytes, no newline) that get a colour, from left to
 * right, and returns their number, at most PAINT_SPANS_MAX. `caveats`: whole lines that are
 * coloured as caveats; NULL: none.
 */
size_t paint_line(const char *line, size_t size, const char *caveats,
                  struct paint_span spans[PAINT_SPANS_MAX]);

/* Returns the escape sequence that begins a colour, which PAINT_END ends; static storage. */
const char *paint_begin(enum paint paint);
#define PAINT_END "\033[m"

#endif
