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

/* Tenths of a pixel. */
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
    char *head; /* owned; lines, which flame_put_head cuts into strings */
    size_t head_size;
    uint64_t shown, least; /* weight of the full width, and of the narrowest frame */
    uint64_t y;            /* where the next part begins */
    size_t name_cells;     /* limit for names in tooltips */
    FILE *out;
};

/* Makes the lines of the head, as text. Fails only with NO_MEMORY. */
MUST_CHECK enum status flame_make_head(struct flame_picture *picture,
                                       const struct flame_options *options);

/* Draws the head's lines and the legend, and sets `y` to below them. */
void flame_put_head(struct flame_picture *picture, bool has_title);

/* Writes <text x=... y=... class="CLASS">; NULL: without a class. */
void flame_begin_text(FILE *out, uint64_t x, uint64_t y, const char *class);

#endif
