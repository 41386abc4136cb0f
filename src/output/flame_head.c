/* SPDX-License-Identifier: MIT */
#include "output/flame_picture.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "graph/amount.h"
#include "output/svg.h"
#include "output/view_head.h"

/* Tenths of a pixel. */
#define TITLE_Y    320u
#define TITLE_LINE 215u
#define LINE       175u
#define SWATCH     100u
#define LEGEND_ROW 190u
#define STEP_WIDTH 240u
#define LEGEND_GAP 75u  /* between lines and legend */
#define HEAD_GAP   120u /* below the legend */

#define LEGEND_CELLS 32u

void flame_begin_text(FILE *out, uint64_t x, uint64_t y, const char *class)
{
    fputs("<text x=\"", out);
    svg_number(out, x);
    fputs("\" y=\"", out);
    svg_number(out, y);
    if (class)
        fprintf(out, "\" class=\"%s", class);
    fputs("\">", out);
}

/* Writes lines about the weight that is not in the picture. */
static void tell_left_out(const struct flame_picture *picture, FILE *head)
{
    const struct flame_layout *layout = &picture->layout;
    const uint64_t total = picture->view->total;
    char part[AMOUNT_TEXT_MAX], share[AMOUNT_TEXT_MAX];

    if (layout->narrow && layout->is_full)
        fprintf(head, "grey or left out: %s in frames that are not among the %u heaviest\n",
                amount_percent(part, layout->narrow, total), FLAME_FRAMES_MAX);
    else if (layout->narrow)
        fprintf(head, "grey or left out: %s in frames of less than %s\n",
                amount_percent(part, layout->narrow, total),
                amount_share(share, picture->least, total));
    if (layout->deep)
        fprintf(head, "cut: %s in frames deeper than %u levels%s\n",
                amount_percent(part, layout->deep, total), FLAME_LEVELS_MAX,
                picture->view->inverted ? "" : "; --invert shows chains from their other end");
    if (layout->gone)
        fprintf(head, "without width: %s of the baseline, in calls that were not seen again\n",
                amount_percent(part, layout->gone, picture->view->base_total));
}

enum status flame_make_head(struct flame_picture *picture, const struct flame_options *options)
{
    FILE *head = open_memstream(&picture->head, &picture->head_size);
    enum status status, closed;

    if (!head)
        return STATUS_NO_MEMORY;
    status = view_head_write(picture->view, options->title, options->caveats, head);
    if (status == STATUS_OK) {
        view_head_put_fold(picture->fold, head);
        tell_left_out(picture, head);
    }
    closed = text_close(head, &picture->head);
    return status == STATUS_OK ? closed : status;
}

/* The title is larger; `y` is then where a further line would be. */
static void put_lines(struct flame_picture *picture, bool has_title)
{
    bool is_title = has_title;
    char *rest = NULL;

    picture->y = has_title ? TITLE_Y : TITLE_Y - LINE;
    for (char *line = strtok_r(picture->head, "\n", &rest); line;
         line = strtok_r(NULL, "\n", &rest)) {
        flame_begin_text(picture->out, FLAME_MARGIN, picture->y, is_title ? "h" : "q");
        svg_text_cut(picture->out, line, FLAME_HEAD_CELLS);
        fputs("</text>\n", picture->out);
        picture->y += is_title ? TITLE_LINE : LINE;
        is_title = false;
    }
}

static void put_swatch(FILE *out, uint64_t x, uint64_t y, uint64_t width, const char *class)
{
    svg_rect(out, x, y - SWATCH + 10, width, SWATCH, class);
    fputs("/>", out);
}

/* Draws a module of the legend, in a new row if there is no room. */
static void put_module(struct flame_picture *picture, uint64_t *x, const char *class,
                       const char *name)
{
    size_t cells = svg_text_cells(name) < LEGEND_CELLS ? svg_text_cells(name) : LEGEND_CELLS;
    uint64_t width = SWATCH + 60 + cells * FLAME_CELL;

    if (*x > FLAME_MARGIN && *x + width > FLAME_WIDTH - FLAME_MARGIN) {
        *x = FLAME_MARGIN;
        picture->y += LEGEND_ROW;
    }
    put_swatch(picture->out, *x, picture->y, SWATCH, class);
    flame_begin_text(picture->out, *x + SWATCH + 60, picture->y, "k");
    svg_text_cut(picture->out, name, LEGEND_CELLS);
    fputs("</text>\n", picture->out);
    *x += width + 180;
}

static void put_modules(struct flame_picture *picture)
{
    const struct flame_colours *colours = &picture->colours;
    char class[FLAME_CLASS_MAX];
    uint64_t x = FLAME_MARGIN;

    for (size_t i = 0; i < colours->module_count; i++)
        put_module(picture, &x, flame_colours_module(i, class), text_basename(colours->modules[i]));
    if (colours->has_others)
        put_module(picture, &x, "x", "other modules");
}

/* Draws the legend of changes, from less to more. */
static void put_steps(struct flame_picture *picture)
{
    static const char less[] = "less than in the baseline";
    uint64_t x = FLAME_MARGIN + sizeof(less) * FLAME_CELL;
    char class[FLAME_CLASS_MAX];

    flame_begin_text(picture->out, FLAME_MARGIN, picture->y, "k");
    fprintf(picture->out, "%s</text>", less);
    for (int step = -(int)FLAME_STEPS; step <= (int)FLAME_STEPS; step++) {
        put_swatch(picture->out, x, picture->y, STEP_WIDTH, flame_colours_step(step, class));
        x += STEP_WIDTH;
    }
    flame_begin_text(picture->out, x + FLAME_CELL, picture->y, "k");
    fputs("more; steps at", picture->out);
    for (unsigned step = 2; step <= FLAME_STEPS; step++)
        fprintf(picture->out, "%s %" PRId32, step > 2 ? "," : "",
                flame_colours_step_from(step) / 100);
    fputs(" points; grey: no change, or noise</text>\n", picture->out);
}

void flame_put_head(struct flame_picture *picture, bool has_title)
{
    put_lines(picture, has_title);
    picture->y += LEGEND_GAP;
    if (picture->view->compare)
        put_steps(picture);
    else
        put_modules(picture);
    picture->y += HEAD_GAP;
}
