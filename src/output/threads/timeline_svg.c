/* SPDX-License-Identifier: MIT */
#include "output/threads/timeline_svg.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/label.h"
#include "base/text.h"
#include "graph/amount.h"
#include "output/svg.h"
#include "output/threads/output_timeline.h"
#include "output/threads/timeline_picture.h"

#define INDENT        100u
#define INDENTS_MAX   6u
#define FEW_ROWS      40u /* rows up to this number are high enough for text */
#define ROW_PITCH     200u
#define ROW_GAP       20u
#define THIN_PITCH    50u
#define THIN_GAP      5u
#define GROUP_HEIGHT  120u /* least height of a group, so that its label can be read */
#define COLUMN_THIN   20u
#define BLOCK_COLUMNS 24u /* columns of narrow pieces that share a tooltip */
#define BLOCK_NAMES   32u /* functions that are told apart in such a tooltip */
#define BLOCK_NAMED   3u  /* functions that it names */
#define TITLE_CELLS   160u

static uint64_t row_pitch(const struct picture *picture, size_t rows_of_group)
{
    if (!picture->thin)
        return ROW_PITCH;
    return rows_of_group * THIN_PITCH < GROUP_HEIGHT ? GROUP_HEIGHT / rows_of_group : THIN_PITCH;
}

static uint64_t row_height(const struct picture *picture, uint64_t pitch)
{
    return pitch - (picture->thin ? THIN_GAP : ROW_GAP);
}

/* Returns the number of rows of one node of the hierarchy, from `first` on. */
static size_t group_rows(const struct picture *picture, size_t first)
{
    const struct timeline_row *rows = picture->timeline->rows;
    size_t end = first + 1;

    while (end < picture->row_count && rows[end].node == rows[first].node)
        end++;
    return end - first;
}

static bool is_wide(const struct picture *picture, const struct timeline_piece *piece)
{
    return picture_place(picture, piece->end_ns) - picture_place(picture, piece->start_ns) >=
           2 * picture->column;
}

static void put_style(FILE *out)
{
    fputs("<style>text{font:10px 'DejaVu Sans Mono',Menlo,Consolas,monospace;fill:#222}"
          ".h{font-size:13px;font-weight:bold}.g{stroke:#000;stroke-opacity:.12}.e{text-anchor:end}"
          ".m{text-anchor:middle}.n{fill:none;pointer-events:all}.a{fill:#fff}"
          ".p{pointer-events:none}",
          out);
    for (size_t i = 0; i < TIMELINE_STATE_COUNT; i++)
        fprintf(out, ".%s{fill:%s}", PICTURE_STATES[i].class, PICTURE_STATES[i].colour);
    fputs("</style>\n<defs><pattern id=\"u\" width=\"4\" height=\"4\" "
          "patternUnits=\"userSpaceOnUse\"><rect width=\"4\" height=\"4\" fill=\"#f6f6f6\"/>"
          "<path d=\"M0 4L4 0\" stroke=\"#bbb\" stroke-width=\".7\"/></pattern></defs>\n",
          out);
}

/* Adds a narrow piece to the columns that it is in, to each its part. */
static void sum_piece(struct picture *picture, const struct timeline_piece *piece)
{
    const uint64_t count = PICTURE_PLOT / picture->column;
    uint64_t at = picture_place(picture, piece->start_ns),
             end = picture_place(picture, piece->end_ns);
    uint64_t left_ns = piece->end_ns - piece->start_ns, length_ns = left_ns, length = end - at;

    for (;;) {
        size_t i = (size_t)(at / picture->column);
        uint64_t next = (i + 1) * picture->column;
        uint64_t part_ns = next >= end ? left_ns : length_ns / length * (next - at);

        picture->columns[i < count ? i : count - 1].ns[piece->state] += part_ns;
        if (next >= end)
            return;
        left_ns -= part_ns;
        at = next;
    }
}

static void sum_row(struct picture *picture, uint32_t thread)
{
    struct timeline_cursor cursor;
    struct timeline_piece piece;

    memset(picture->columns, 0, PICTURE_COLUMNS_MAX * sizeof(*picture->columns));
    timeline_begin(picture->timeline, thread, &cursor);
    while (timeline_next_function(&cursor, &piece))
        if (!is_wide(picture, &piece))
            sum_piece(picture, &piece);
}

static uint64_t column_total(const struct column *column)
{
    uint64_t total_ns = 0;

    for (size_t i = 0; i < TIMELINE_STATE_COUNT; i++)
        total_ns += column->ns[i];
    return total_ns;
}

/* Returns the height of the states before `state` in a column's stack. */
static uint64_t stack_top(const struct column *column, size_t state, uint64_t height)
{
    uint64_t before_ns = 0;

    for (size_t i = 0; i < state; i++)
        before_ns += column->ns[i];
    return height * amount_basis_points(before_ns, column_total(column)) / 10000;
}

/* Draws the stacks of a row, with one path for each state, joining equal columns. */
static void put_stacks(const struct picture *picture, uint64_t y, uint64_t height)
{
    const uint64_t count = PICTURE_PLOT / picture->column;

    for (size_t state = 0; state < TIMELINE_STATE_COUNT; state++) {
        bool begun = false;

        for (size_t i = 0, end; i < count; i = end) {
            const struct column *column = &picture->columns[i];
            uint64_t top, bottom;

            end = i + 1;
            if (!column->ns[state])
                continue;
            top = stack_top(column, state, height);
            bottom = stack_top(column, state + 1, height);
            while (end < count && picture->columns[end].ns[state] &&
                   stack_top(&picture->columns[end], state, height) == top &&
                   stack_top(&picture->columns[end], state + 1, height) == bottom)
                end++;
            if (bottom == top)
                continue;
            if (!begun)
                fprintf(picture->out, "<path class=\"%s\" d=\"", PICTURE_STATES[state].class);
            begun = true;
            fputc('M', picture->out);
            svg_number(picture->out, PICTURE_LABELS + i * picture->column);
            fputc(' ', picture->out);
            svg_number(picture->out, y + top);
            fputc('h', picture->out);
            svg_number(picture->out, (end - i) * picture->column);
            fputc('v', picture->out);
            svg_number(picture->out, bottom - top);
            fputs("h-", picture->out);
            svg_number(picture->out, (end - i) * picture->column);
            fputc('z', picture->out);
        }
        if (begun)
            fputs("\"/>\n", picture->out);
    }
}

static void put_when(const struct picture *picture, uint64_t start_ns, uint64_t end_ns)
{
    char from[AMOUNT_TEXT_MAX], length[AMOUNT_TEXT_MAX];

    fprintf(picture->out, "\nfrom %s for %s",
            amount_weight(from, WEIGHT_WALL, start_ns - picture->timeline->zero_ns),
            amount_weight(length, WEIGHT_WALL, end_ns - start_ns));
}

/* Writes the function of a piece that runs; of others the wait, and the function. */
static enum status put_piece_text(const struct picture *picture, const struct timeline_piece *piece,
                                  const char *wait, const char *function, size_t cells)
{
    bool runs = piece->state == TIMELINE_RUNNING || piece->state == TIMELINE_READY;
    size_t taken = svg_text_cells(wait) + 2;
    char *label = label_line(function);

    if (!label)
        return STATUS_NO_MEMORY;
    if (*label && runs) {
        svg_text_cut(picture->out, label, cells);
    } else {
        svg_text_cut(picture->out, wait, cells);
        if (*label && taken + 4 <= cells) {
            fputs(": ", picture->out);
            svg_text_cut(picture->out, label, cells - taken);
        }
    }
    free(label);
    return STATUS_OK;
}

static void put_piece_title(const struct picture *picture, const char *label,
                            const struct timeline_piece *piece, const char *wait,
                            const char *function)
{
    char share[AMOUNT_TEXT_MAX];

    fputs("><title>", picture->out);
    svg_text_cut(picture->out, label, TITLE_CELLS);
    fputc('\n', picture->out);
    svg_text_cut(picture->out, wait, TITLE_CELLS);
    fputs(*function ? ": " : "", picture->out);
    svg_text_cut(picture->out, function, TITLE_CELLS);
    put_when(picture, piece->start_ns, piece->end_ns);
    fprintf(picture->out, ", CPU %s</title></rect>\n",
            amount_share(share, piece->cpu_ns, piece->end_ns - piece->start_ns));
}

/* Draws a wide piece: its rectangle, tooltip, and text if that fits. */
static enum status put_piece(const struct picture *picture, const char *label,
                             const struct timeline_piece *piece, uint64_t y, uint64_t height)
{
    uint64_t x = picture_place(picture, piece->start_ns);
    uint64_t width = picture_place(picture, piece->end_ns) - x;
    char *function = timeline_function_text(picture->timeline, piece->function);
    char *wait = timeline_wait_text(picture->timeline, piece);
    bool made = function && wait;
    enum status status = made ? STATUS_OK : STATUS_NO_MEMORY;

    if (made) {
        /* A little narrower, so that neighbours of one state can be told apart. */
        svg_rect(picture->out, PICTURE_LABELS + x, y,
                 width > 3 * PICTURE_COLUMN ? width - PICTURE_COLUMN / 2 : width, height,
                 PICTURE_STATES[piece->state].class);
        put_piece_title(picture, label, piece, wait, function);
    }
    if (made && !picture->thin && width >= 4 * SVG_CELL && piece->state != TIMELINE_UNKNOWN) {
        picture_text(picture->out, PICTURE_LABELS + x + SVG_CELL / 2, y + height - 55,
                     piece->state == TIMELINE_STOPPED ? " class=\"a p\"" : " class=\"p\"");
        status =
            put_piece_text(picture, piece, wait, function, (size_t)((width - SVG_CELL) / SVG_CELL));
        fputs("</text>\n", picture->out);
    }
    free(function);
    free(wait);
    return status;
}

/* Neighbouring narrow pieces, with a common tooltip. */
struct block {
    uint64_t start_ns, end_ns; /* equal: empty */
    uint64_t ns[TIMELINE_STATE_COUNT], total_ns;
    struct block_name {
        uint32_t function;
        uint64_t ns;
    } names[BLOCK_NAMES];
    size_t name_count;
};

static void block_add(struct block *block, const struct timeline_piece *piece)
{
    uint64_t length_ns = piece->end_ns - piece->start_ns;
    size_t i = 0;

    if (block->total_ns == 0)
        block->start_ns = piece->start_ns;
    block->end_ns = piece->end_ns;
    block->ns[piece->state] += length_ns;
    block->total_ns += length_ns;
    if (piece->function == TIMELINE_NO_FUNCTION)
        return;
    while (i < block->name_count && block->names[i].function != piece->function)
        i++;
    if (i == BLOCK_NAMES)
        return;
    if (i == block->name_count)
        block->names[block->name_count++] = (struct block_name){.function = piece->function};
    block->names[i].ns += length_ns;
}

static int by_time(const void *a, const void *b)
{
    const struct block_name *x = a, *y = b;

    if (x->ns != y->ns)
        return x->ns < y->ns ? 1 : -1;
    return x->function < y->function ? -1 : x->function > y->function;
}

static enum status put_block(const struct picture *picture, const char *label, struct block *block,
                             uint64_t y, uint64_t height)
{
    uint64_t x = picture_place(picture, block->start_ns);
    uint64_t width = picture_place(picture, block->end_ns) - x;
    char share[AMOUNT_TEXT_MAX];
    enum status status = STATUS_OK;

    if (block->total_ns == 0)
        return STATUS_OK;
    svg_rect(picture->out, PICTURE_LABELS + x, y, width < PICTURE_COLUMN ? PICTURE_COLUMN : width,
             height, "n");
    fputs("><title>", picture->out);
    svg_text_cut(picture->out, label, TITLE_CELLS);
    for (size_t i = 0; i < TIMELINE_STATE_COUNT; i++)
        if (block->ns[i])
            fprintf(picture->out, "\n%s %s", timeline_state_name((enum timeline_state)i),
                    amount_share(share, block->ns[i], block->total_ns));
    qsort(block->names, block->name_count, sizeof(block->names[0]), by_time);
    for (size_t i = 0; i < block->name_count && i < BLOCK_NAMED && status == STATUS_OK; i++) {
        char *name = timeline_function_text(picture->timeline, block->names[i].function);

        if (!name)
            status = STATUS_NO_MEMORY;
        else
            fprintf(picture->out, "\nin ");
        if (name)
            svg_text_cut(picture->out, name, TITLE_CELLS);
        fprintf(picture->out, " %s", amount_share(share, block->names[i].ns, block->total_ns));
        free(name);
    }
    put_when(picture, block->start_ns, block->end_ns);
    fputs("</title></rect>\n", picture->out);
    *block = (struct block){.total_ns = 0};
    return status;
}

static enum status put_row(struct picture *picture, uint32_t thread, uint64_t y, uint64_t height)
{
    char *label = timeline_thread_text(picture->timeline, thread);
    struct timeline_cursor cursor;
    struct timeline_piece piece;
    struct block block = {.total_ns = 0};
    enum status status = label ? STATUS_OK : STATUS_NO_MEMORY;

    sum_row(picture, thread);
    put_stacks(picture, y, height);
    timeline_begin(picture->timeline, thread, &cursor);
    while (status == STATUS_OK && timeline_next_function(&cursor, &piece)) {
        bool wide = is_wide(picture, &piece);

        if (wide || picture_place(picture, piece.end_ns) - picture_place(picture, block.start_ns) >
                        BLOCK_COLUMNS * picture->column)
            status = put_block(picture, label, &block, y, height);
        if (status == STATUS_OK && wide)
            status = put_piece(picture, label, &piece, y, height);
        else if (status == STATUS_OK)
            block_add(&block, &piece);
    }
    if (status == STATUS_OK)
        status = put_block(picture, label, &block, y, height);
    free(label);
    return status;
}

/* Writes the label of a row, or of a group whose rows are too low for labels. */
static enum status put_label(const struct picture *picture, const struct timeline_row *row,
                             size_t rows, uint64_t y)
{
    const struct identities *identities = picture->timeline->source.report->identities;
    const struct identity *known = &identities->list[identities->of_thread[row->thread]];
    /* A single thread's own name is in `text`. */
    const char *identity = rows == 1 ? known->name : identity_label(known);
    uint64_t x = PICTURE_MARGIN + INDENT * (row->depth < INDENTS_MAX ? row->depth : INDENTS_MAX);
    size_t cells = (size_t)((PICTURE_LABELS - PICTURE_MARGIN - x) / SVG_CELL);
    char count[32] = "";
    char *text =
        rows == 1 ? timeline_thread_text(picture->timeline, row->thread) : strdup(identity);
    size_t left, tail, head;

    if (!text)
        return STATUS_NO_MEMORY;
    if (rows > 1)
        snprintf(count, sizeof(count), " \xc3\x97%zu", rows);
    picture_text(picture->out, x, y, "");
    if (rows == 1 || svg_text_cells(text) > cells - svg_text_cells(count)) {
        fputs("<title>", picture->out);
        svg_text_cut(picture->out, text, TITLE_CELLS);
        fprintf(picture->out, "%s</title>", count);
    }
    /* Cuts the middle of the identity's name: the thread's name and tid identify it. */
    left = cells - svg_text_cells(count);
    tail = rows == 1 ? svg_text_cells(strrchr(text, ' ')) : 0;
    head = svg_text_cells(text) - svg_text_cells(identity) - tail;
    head = head + tail < left ? head : 0;
    svg_text_middle(picture->out, text, left, left > tail ? tail + (left - tail - head) / 2 : left);
    fprintf(picture->out, "%s</text>\n", count);
    free(text);
    return STATUS_OK;
}

static enum status put_rows(struct picture *picture)
{
    enum status status = STATUS_OK;
    uint64_t y = PICTURE_ROWS_Y;

    for (size_t i = 0, rows; i < picture->row_count && status == STATUS_OK; i += rows) {
        const struct timeline_row *row = &picture->timeline->rows[i];
        uint64_t pitch;

        rows = group_rows(picture, i);
        pitch = row_pitch(picture, rows);
        if (picture->thin) {
            status = put_label(picture, row, rows, y + rows * pitch / 2 + 35);
            picture_line(picture->out, PICTURE_LABELS - 30, y, PICTURE_LABELS - 30,
                         y + rows * pitch - THIN_GAP);
        }
        for (size_t r = 0; r < rows && status == STATUS_OK; r++, y += pitch) {
            if (!picture->thin)
                status = put_label(picture, row + r, 1, y + ROW_PITCH - ROW_GAP - 55);
            if (status == STATUS_OK)
                status = put_row(picture, row[r].thread, y, row_height(picture, pitch));
        }
    }
    return status;
}

/* Finds where rows end, and the time by state, before the head is drawn. */
static void measure(struct picture *picture)
{
    picture->rows_end = PICTURE_ROWS_Y;
    for (size_t i = 0, rows; i < picture->row_count; i += rows) {
        rows = group_rows(picture, i);
        picture->rows_end += rows * row_pitch(picture, rows);
    }
    for (size_t i = 0; i < picture->row_count; i++) {
        struct timeline_cursor cursor;
        struct timeline_piece piece;

        timeline_begin(picture->timeline, picture->timeline->rows[i].thread, &cursor);
        while (timeline_next(&cursor, &piece))
            timeline_add_states(&piece, picture->state_ns);
    }
}

static void put_left_out(const struct picture *picture)
{
    size_t left_out = picture->timeline->row_count - picture->row_count;

    if (left_out == 0)
        return;
    picture_text(picture->out, PICTURE_LABELS, picture->rows_end + 4 * PICTURE_FONT_HEIGHT, "");
    fprintf(picture->out, "%zu more thread%s not shown; --thread chooses</text>\n", left_out,
            left_out == 1 ? " is" : "s are");
}

static enum status draw(struct picture *picture, const char *title, const char *caveats)
{
    uint64_t height;
    enum status status;

    measure(picture);
    height = picture->rows_end + 5 * PICTURE_FONT_HEIGHT;
    fputs("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"", picture->out);
    svg_number(picture->out, PICTURE_WIDTH);
    fputs("\" height=\"", picture->out);
    svg_number(picture->out, height);
    fputs("\" viewBox=\"0 0 ", picture->out);
    svg_number(picture->out, PICTURE_WIDTH);
    fputc(' ', picture->out);
    svg_number(picture->out, height);
    fputs("\">\n", picture->out);
    put_style(picture->out);
    fputs("<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n", picture->out);
    status = picture_put_head(picture, title, caveats);
    if (status == STATUS_OK)
        status = put_rows(picture);
    put_left_out(picture);
    fputs("</svg>\n", picture->out);
    return status == STATUS_OK ? text_finish(picture->out) : status;
}

enum status timeline_svg_write(const struct timeline *timeline, const char *title,
                               const char *caveats, FILE *out)
{
    struct picture picture = {.timeline = timeline,
                              .out = out,
                              .length_ns = timeline->end_ns - timeline->start_ns,
                              .row_count = timeline->row_count};
    enum status status;

    if (picture.length_ns == 0)
        picture.length_ns = 1;
    if (picture.row_count > TIMELINE_SVG_ROWS_MAX)
        picture.row_count = TIMELINE_SVG_ROWS_MAX;
    picture.thin = picture.row_count > FEW_ROWS;
    picture.column = picture.thin ? COLUMN_THIN : PICTURE_COLUMN;
    picture.columns = calloc(PICTURE_COLUMNS_MAX, sizeof(*picture.columns));
    if (!picture.columns)
        return STATUS_NO_MEMORY;
    status = draw(&picture, title, caveats);
    free(picture.columns);
    return status;
}

static enum status finish(struct output *o, struct diag *diag)
{
    struct output_timeline made;
    enum status status = output_timeline_init(&made, o);

    (void)diag;
    if (status == STATUS_OK)
        status = timeline_svg_write(made.timeline, o->title, o->caveats, o->file);
    output_timeline_deinit(&made);
    return status;
}

const struct output_format output_format_timeline_svg = {
    .name = "timeline-svg",
    .help = "what each thread did when, drawn as SVG",
    .begins = "^<(\\?xml|svg) ",
    .needs = NEEDS_HISTORY | NEEDS_LINES | NEEDS_ONE_INPUT,
    .honours = HONOURS(VARIABLES),
    .check = output_timeline_check,
    .finish = finish,
};
