/* SPDX-License-Identifier: MIT */
/*
 * A stream for a terminal: what is written to it goes on to another, with lines cut to a width and
 * coloured (paint.h) as is asked for. Writers need not know.
 */
#ifndef OUTPUT_SCREEN_H
#define OUTPUT_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct screen_options {
    FILE *to;       /* borrowed */
    bool colour;    /* lines are coloured, */
    size_t columns; /* and cut to so many, the last of which is then "…"; 0: no limit. Nor do names
                     * turn around there what follows, as right-to-left overrides do */
    const char *const *caveats; /* as in paint.h, by the time that lines are written; or NULL */
    /* Called before the first byte goes on; may be NULL. */
    void (*begin)(void *context);
    void *context;
};

/*
 * To be closed with fclose, which flushes `to`, and does not close it. What cannot be written to
 * `to` cannot be written to it. NULL: out of memory.
 */
FILE *screen_open(const struct screen_options *options);

#endif
