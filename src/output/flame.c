/* SPDX-License-Identifier: MIT */
#include "output/flame.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/label.h"
#include "base/plural.h"
#include "base/text.h"
#include "graph/amount.h"
#include "output/flame_picture.h"
#include "output/format.h"
#include "output/svg.h"

/* Tenths of a pixel. */
#define BASELINE  133u /* of a text, in a row */
#define PADDING   50u  /* of a text, in its frame */
#define NARROW    40u  /* narrower frames have no gap beside them */
#define NARROWEST 5u   /* narrower frames cannot be seen */

#define TEXT_CELLS   3u       /* shorter texts are left out */
#define NAMES_BUDGET 2000000u /* bytes of names in tooltips, about */
#define NAME_MIN     64u      /* cells of a name that are kept in any case */

#define SANS "system-ui,'Segoe UI',Helvetica,Arial,sans-serif"

/* Returns the distance from the left side at which a weight ends. */
static uint64_t place_weight(const struct flame_picture *picture, uint64_t weight)
{
    uint64_t whole = picture->shown;

    if (weight >= whole)
        return FLAME_PLOT;
    while (whole >> 49) {
        whole >>= 1;
        weight >>= 1;
    }
    return weight * FLAME_PLOT / whole;
}

static void put_rect(FILE *out, uint64_t x, uint64_t y, uint64_t width, const char *class)
{
    char classes[FLAME_CLASS_MAX + 2];

    snprintf(classes, sizeof(classes), "%s%s", class, width < NARROW ? " n" : "");
    svg_rect(out, x, width < NARROW ? y + 5 : y, width, width < NARROW ? FLAME_ROW - 10 : FLAME_ROW,
             classes);
}

/* "12.34% (123 samples)" */
static void put_amount(const struct flame_picture *picture, uint64_t weight, uint64_t total)
{
    const struct view *view = picture->view;
    char number[AMOUNT_TEXT_MAX];

    fputs(amount_share(number, weight, total), picture->out);
    fprintf(picture->out, " (%s", amount_weight(number, view->weight, weight));
    if (view->weight == WEIGHT_SAMPLES)
        fprintf(picture->out, " sample%s", plural(weight));
    if (view->weight == WEIGHT_CALLS)
        fprintf(picture->out, " call%s", plural(weight));
    fputc(')', picture->out);
}

static void put_name(const struct flame_picture *picture, const struct view_node *node)
{
    if (picture->view->by != GRAPH_BY_MODULE || node->is_thread) {
        svg_text_cut(picture->out, node->label, picture->name_cells);
        fputc('\n', picture->out);
    }
    svg_text_cut(picture->out, node->module, picture->name_cells);
}

static void put_tooltip(const struct flame_picture *picture, const struct flame_frame *frame)
{
    const struct view *view = picture->view;
    char number[AMOUNT_TEXT_MAX];
    uint64_t self =
        frame->node != TRIE_NONE && !view->inverted ? picture->fold->self[frame->node] : 0;

    fputs("><title>", picture->out);
    if (frame->node != TRIE_NONE)
        put_name(picture, &view->nodes[picture->fold->trie.nodes[frame->node].key]);
    else
        fprintf(picture->out, "%" PRIu32 " more, %s", frame->count,
                frame->level < FLAME_LEVELS_MAX ? "left out" : "cut here");
    fputc('\n', picture->out);
    put_amount(picture, frame->weight, view->total);
    if (self) {
        fputs(", self ", picture->out);
        put_amount(picture, self, view->total);
    }
    if (view->compare) {
        fputs("\nbaseline ", picture->out);
        put_amount(picture, frame->base, view->base_total);
        fprintf(picture->out, ", change %s%s",
                amount_delta(number, view_delta(view, frame->weight, frame->base)),
                view_is_noise(view, frame->weight, frame->base) ? ", may be noise" : "");
    }
    fputs("</title></rect>\n", picture->out);
}

/* Writes the number that follows a frame's name: its share, or the change of that. */
static void figure_of(const struct flame_picture *picture, uint64_t weight, uint64_t base,
                      char number[AMOUNT_TEXT_MAX])
{
    const struct view *view = picture->view;

    if (view->compare)
        amount_delta(number, view_delta(view, weight, base));
    else
        amount_share(number, weight, view->total);
    if (view->compare && view_is_noise(view, weight, base))
        strcat(number, "~");
}

/* Writes a cut name; one like "prog+0x11e0" keeps its address, which identifies it. */
static void put_short(FILE *out, const char *name, size_t cells)
{
    const char *address = strrchr(name, '+');

    if (address && strncmp(address, "+0x", 3) == 0)
        svg_text_middle(out, name, cells, strlen(address));
    else
        svg_text_cut(out, name, cells);
}

/* "12 more": callees that are left out. */
static void put_rest_label(const struct flame_picture *picture, const struct flame_frame *frame,
                           size_t room)
{
    char text[40];

    snprintf(text, sizeof(text), "%" PRIu32 " more%s", frame->count,
             frame->level < FLAME_LEVELS_MAX ? "" : ", cut");
    svg_text_cut(picture->out, text, room);
}

/* Writes the name if it fits, else its short form, cut; then the number if there is room. */
static enum status put_function_label(const struct flame_picture *picture,
                                      const struct flame_frame *frame, size_t room)
{
    const char *name = picture->view->nodes[picture->fold->trie.nodes[frame->node].key].label;
    size_t cells = svg_text_cells(name);
    char number[AMOUNT_TEXT_MAX];

    if (cells <= room) {
        svg_text(picture->out, name);
    } else {
        char *label = label_line(name);

        if (!label)
            return STATUS_NO_MEMORY;
        put_short(picture->out, label, room);
        cells = svg_text_cells(label);
        free(label);
    }
    figure_of(picture, frame->weight, frame->base, number);
    if (cells + 2 + strlen(number) <= room)
        fprintf(picture->out, "<tspan class=\"s\" dx=\"7\">%s</tspan>", number);
    return STATUS_OK;
}

static enum status put_label(const struct flame_picture *picture, const struct flame_frame *frame,
                             uint64_t x, uint64_t y, uint64_t width)
{
    size_t room = width > 2 * PADDING ? (size_t)((width - 2 * PADDING) / FLAME_CELL) : 0;
    enum status status = STATUS_OK;

    if (room < TEXT_CELLS)
        return STATUS_OK;
    flame_begin_text(picture->out, x + PADDING, y + BASELINE, NULL);
    if (frame->node != TRIE_NONE)
        status = put_function_label(picture, frame, room);
    else
        put_rest_label(picture, frame, room);
    fputs("</text>\n", picture->out);
    return status;
}

static enum status put_frame(const struct flame_picture *picture, const struct flame_frame *frame)
{
    uint64_t x = place_weight(picture, frame->start);
    uint64_t width = place_weight(picture, weight_add(frame->start, frame->weight)) - x;
    uint64_t y = picture->y + frame->level * FLAME_ROW;
    char class[FLAME_CLASS_MAX];

    put_rect(picture->out, FLAME_MARGIN + x, y, width,
             flame_colours_class(&picture->colours, frame, class));
    put_tooltip(picture, frame);
    return put_label(picture, frame, FLAME_MARGIN + x, y, width);
}

/* Draws the outermost frame, "all". */
static void put_all(struct flame_picture *picture)
{
    char number[AMOUNT_TEXT_MAX];

    put_rect(picture->out, FLAME_MARGIN, picture->y, FLAME_PLOT, "a");
    fputs("><title>all\n", picture->out);
    put_amount(picture, picture->shown, picture->view->total);
    fputs("</title></rect>\n", picture->out);
    flame_begin_text(picture->out, FLAME_MARGIN + PADDING, picture->y + BASELINE, NULL);
    figure_of(picture, picture->shown, picture->view->base_shown, number);
    fprintf(picture->out, "all<tspan class=\"s\" dx=\"7\">%s</tspan></text>\n", number);
    picture->y += FLAME_ROW;
}

/* Returns the weight of half a pixel, or of the fraction, whichever is greater. */
static uint64_t least_weight(const struct flame_picture *picture, double fraction)
{
    uint64_t least = picture->shown / FLAME_PLOT * NARROWEST +
                     picture->shown % FLAME_PLOT * NARROWEST / FLAME_PLOT;
    uint64_t cutoff = amount_cutoff(picture->view->total, fraction);

    return least + 1 > cutoff ? least + 1 : cutoff;
}

/* Returns the cells that names may take: fewer if all names would take NAMES_BUDGET. */
static size_t cells_of_names(const struct flame_picture *picture)
{
    size_t cells = 2 * TEXT_NAME_MAX, sum;

    do {
        cells /= 2;
        sum = 0;
        for (size_t i = 0; i < picture->layout.count; i++) {
            const struct flame_frame *frame = &picture->layout.frames[i];
            const struct view_node *node;

            if (frame->node == TRIE_NONE)
                continue;
            node = &picture->view->nodes[picture->fold->trie.nodes[frame->node].key];
            sum += strnlen(node->label, cells) + strnlen(node->module, cells);
        }
    } while (sum > NAMES_BUDGET && cells > NAME_MIN);
    return cells;
}

static enum status put_body(struct flame_picture *picture, bool has_title)
{
    enum status status = STATUS_OK;

    flame_put_head(picture, has_title);
    put_all(picture);
    for (size_t i = 0; i < picture->layout.count && status == STATUS_OK; i++)
        status = put_frame(picture, &picture->layout.frames[i]);
    picture->y += picture->layout.levels * FLAME_ROW + FLAME_MARGIN;
    return status;
}

static void put_style(FILE *out)
{
    fputs("<style>text{font:11px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;"
          "fill:#1f2328;pointer-events:none}.h{font:600 16px " SANS "}.q{font:12px " SANS "}"
          ".q,.k{fill:#59636e}.s{fill-opacity:.62}rect{stroke:#fff}.b{fill:#fff;stroke:none}"
          "rect.n{stroke:none}rect:hover{stroke:#1f2328}rect.b:hover{stroke:none}",
          out);
    flame_colours_put_style(out);
    fputs("</style>\n", out);
}

/* Draws the body first, as the page's height follows from it. */
static enum status put_page(struct flame_picture *picture, bool has_title, FILE *out)
{
    char *body = NULL;
    size_t size;
    enum status status, closed;

    picture->out = open_memstream(&body, &size);
    if (!picture->out)
        return STATUS_NO_MEMORY;
    status = put_body(picture, has_title);
    closed = text_close(picture->out, &body);
    if (status == STATUS_OK)
        status = closed;
    if (status == STATUS_OK) {
        fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"",
                FLAME_WIDTH / 10);
        svg_number(out, picture->y);
        fprintf(out, "\" viewBox=\"0 0 %u ", FLAME_WIDTH / 10);
        svg_number(out, picture->y);
        fputs("\">\n<title>", out);
        svg_text_cut(out, picture->head, FLAME_HEAD_CELLS); /* its first line */
        fputs("</title>\n", out);
        put_style(out);
        fputs("<rect width=\"100%\" height=\"100%\" class=\"b\"/>\n", out);
        fwrite(body, 1, size, out);
        fputs("</svg>\n", out);
    }
    free(body);
    return status;
}

enum status flame_write(const struct view *view, const struct flame_options *options, FILE *out)
{
    struct flame_picture picture = {.view = view};
    enum status status = fold_create(view, FOLD_NODES, &picture.fold);

    if (status != STATUS_OK)
        return status;
    picture.shown = picture.fold->total[TRIE_ROOT];
    picture.least = least_weight(&picture, options->node_fraction);
    status = flame_layout_init(&picture.layout, picture.fold, picture.least);
    if (status == STATUS_OK)
        status = flame_colours_init(&picture.colours, &picture.layout, picture.fold);
    if (status == STATUS_OK)
        status = flame_make_head(&picture, options);
    if (status == STATUS_OK) {
        picture.name_cells = cells_of_names(&picture);
        status = put_page(&picture, options->title != NULL, out);
    }
    free(picture.head);
    flame_colours_deinit(&picture.colours);
    flame_layout_deinit(&picture.layout);
    fold_destroy(picture.fold);
    return status == STATUS_OK ? text_finish(out) : status;
}

static enum status finish(struct output *o, struct diag *diag)
{
    (void)diag;
    return flame_write(o->view,
                       &(struct flame_options){.node_fraction = o->fraction_given
                                                                    ? o->trimming->node_fraction
                                                                    : 0,
                                               .title = o->title,
                                               .caveats = o->caveats},
                       o->file);
}

const struct output_format output_format_flame = {
    .name = "flame",
    .suffixes = {".flame.svg"},
    .help = "a flame graph as SVG without script",
    .begins = "^<(\\?xml|svg) ",
    .needs = NEEDS_VIEW,
    .honours = HONOURS_SAMPLES | HONOURS_TRIMMING | HONOURS(BY) | HONOURS(BY_THREAD) |
               HONOURS(HIDE) | HONOURS(DIFF_BASE) | HONOURS(INVERT) | HONOURS(RELATIVE),
    .calls = CALLS_PATHS,
    .finish = finish,
};
