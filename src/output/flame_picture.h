/* SPDX-License-Identifier: MIT */
/* A flame graph while it is drawn: what flame.c, which draws frames, and flame_head.c share. */
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
#define FLAME_CELL   67u /* of the monospaced font at 11 pixels */
#define FLAME_ROW    190u

#define FLAME_HEAD_CELLS 170u

struct flame_picture {
    const struct view *view;
    struct fold *fold;
    struct flame_layout layout;
    struct flame_colours colours;
    char *head; /* lines, the first one NUL-terminated once they are drawn; owned */
    size_t head_size;
    uint64_t shown, least; /* weight of the full width, and of the narrowest frame */
    uint64_t y;            /* where what comes next begins */
    size_t name_cells;     /* of names in tooltips */
    FILE *out;
};

/* The lines of the head, as text. */
MUST_CHECK enum status flame_make_head(struct flame_picture *picture,
                                       const struct flame_options *options);

/* Draws these lines, and the legend; the frames begin below. */
void flame_put_head(struct flame_picture *picture, bool has_title);

/* <text x=… y=… class="CLASS">; NULL: without. */
void flame_begin_text(FILE *out, uint64_t x, uint64_t y, const char *class);

#endif
