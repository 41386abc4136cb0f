/* SPDX-License-Identifier: MIT */
/*
 * A stream for a terminal: passes lines on to another stream, cut to a width and coloured
 * (paint.h). Writers need not know.
 */
#ifndef OUTPUT_SCREEN_H
#define OUTPUT_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct screen_options {
    FILE *to;                     /* borrowed; the stream that gets the lines */
    bool colour;                  /* lines are coloured (paint.h) */
    size_t columns;               /* longer lines are cut and end in "…"; 0: no limit */
    const char *const *caveats;   /* points to paint_line's `caveats`, read at each line; or NULL */
    void (*begin)(void *context); /* called before the first byte is passed on; may be NULL */
    void *context;                /* argument of `begin` */
};

/*
 * Returns a new stream, which the caller closes with fclose; NULL: out of memory. fclose flushes
 * `to` but does not close it. A write to the stream fails if `to` fails, or without memory.
 */
FILE *screen_open(const struct screen_options *options);

#endif
