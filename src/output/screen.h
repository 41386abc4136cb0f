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
    FILE *to;                   /* borrowed */
    bool colour;                /* colour lines */
    size_t columns;             /* cut longer lines, whose last column is then "…"; 0: no limit */
    const char *const *caveats; /* points to paint.h's, read as lines are written; or NULL */
    void (*begin)(void *context); /* called before the first byte is passed on; may be NULL */
    void *context;
};

/*
 * Returns the stream; NULL: out of memory. Close it with fclose, which flushes `to` but does not
 * close it. A write fails if `to` fails.
 */
FILE *screen_open(const struct screen_options *options);

#endif
