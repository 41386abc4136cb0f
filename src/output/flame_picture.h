/* SPDX-License-Identifier: MIT */
/* The state of drawing a flame graph, for flame.c, which draws the frames, and flame_head.c. */
#ifndef OUTPUT_FLAME_PICTURE_H
#define OUTPUT_FLAME_PICTURE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "output/flame.h"
#include "output/flame_colours.h"
#include "output/flame_layout.h"
#include "output/fold.h"

/* Lengths in tenths of a pixel: the picture, margins left and right, the widest frame, ... */
#define FLAME_WIDTH  12000u
#define FLAME_MARGIN 160u
#define FLAME_PLOT   (FLAME_WIDTH - 2 * FLAME_MARGIN)
#define FLAME_CELL   67u /* width of a character of the monospaced font at 11 pixels */
#define FLAME_ROW    190u

#define FLAME_HEAD_CELLS 170u

struct flame_picture {
    const struct view *view;
    struct fold *fold;
    struct flame_layout layout;
    struct flame_colours colours;
    char *head; /* owned; lines with newlines; flame_put_head writes NULs over them */
    size_t head_size;
    uint64_t shown, least; /* weight of the full width, and of the narrowest frame */
    uint64_t y;            /* top of the next part to draw, tenths of a pixel */
    size_t name_cells;     /* most characters of a name in a tooltip */
    FILE *out;
};

/* Sets `head` to the head's lines: title, caveats, summary. Fails only with NO_MEMORY. */
MUST_CHECK enum status flame_make_head(struct flame_picture *picture,
                                       const struct flame_options *options);

/* Draws the lines of `head` (the first is a title if has_title) and the legend; sets `y` below. */
void flame_put_head(struct flame_picture *picture, bool has_title);

/* Writes <text x=... y=... class="CLASS">, x and y in tenths of a pixel; NULL: no class. */
void flame_begin_text(FILE *out, uint64_t x, uint64_t y, const char *class);

#endif
