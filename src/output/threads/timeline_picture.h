/* SPDX-License-Identifier: MIT */
/*
 * Measures, colours, text and lines of the timeline's picture: timeline_head.c draws the part above
 * the rows, timeline_svg.c the rows.
 *
 * Lengths are in tenths of a pixel.
 */
#ifndef OUTPUT_THREADS_TIMELINE_PICTURE_H
#define OUTPUT_THREADS_TIMELINE_PICTURE_H

#include <stdio.h>

#include "base/status.h"
#include "threads/timeline.h"

#define PICTURE_WIDTH       14400u
#define PICTURE_MARGIN      120u
#define PICTURE_LABELS      2560u /* x of the plot's left edge; labels are left of it */
#define PICTURE_PLOT        11600u
#define PICTURE_AXIS_Y      2060u
#define PICTURE_ROWS_Y      2160u
#define PICTURE_FONT_HEIGHT 100u
#define PICTURE_COLUMN      10u
#define PICTURE_COLUMNS_MAX (PICTURE_PLOT / PICTURE_COLUMN)

/* A state's class in the style sheet, and its colour as CSS. */
struct picture_style {
    const char *class, *colour;
};

/* By enum timeline_state. */
extern const struct picture_style PICTURE_STATES[TIMELINE_STATE_COUNT];

/* A column of a row: sums of the time in each state, over pieces too narrow to be drawn. */
struct column {
    uint64_t ns[TIMELINE_STATE_COUNT];
};

struct picture {
    const struct timeline *timeline; /* borrowed */
    FILE *out;
    uint64_t length_ns; /* time from the timeline's start to its end, at least 1 */
    size_t row_count;   /* rows that are drawn, the timeline's first ones */
    bool thin;          /* rows are low, and have no names of functions */
    uint64_t column;    /* width of a column */
    uint64_t rows_end;  /* y at which the last row ends */
    uint64_t state_ns[TIMELINE_STATE_COUNT]; /* sums over the rows drawn; running: CPU time */
    struct column *columns;                  /* columns of the row that is being drawn */
};

/* Returns the distance of a time, on the timeline's clock, from the plot's left edge. */
uint64_t picture_place(const struct picture *picture, uint64_t time_ns);

/* Writes <text x=... y=...ATTRIBUTES>; `attributes` is "" or begins with a space. */
void picture_text(FILE *out, uint64_t x, uint64_t y, const char *attributes);
void picture_line(FILE *out, uint64_t x, uint64_t y, uint64_t x_end, uint64_t y_end);

/*
 * Draws the title (raw bytes), the caveats (whole lines; NULL: none), the legend, the curve of how
 * many threads ran, and the lines of time, which the rows are drawn over. NO_MEMORY.
 */
MUST_CHECK enum status picture_put_head(const struct picture *picture, const char *title,
                                        const char *caveats);

#endif
