/* SPDX-License-Identifier: MIT */
#include "output/threads/timeline_picture.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/plural.h"
#include "base/text.h"
#include "graph/amount.h"
#include "output/svg.h"
#include "threads/concurrency.h"

#define TITLE_Y      200u
#define TITLE_CELLS  120u /* of the title's larger letters, up to the text at the right */
#define TITLE_END    80u  /* at the end of a cut title that stay: the program's file, the pid */
#define CAVEATS_Y    345u
#define LEGEND_Y     500u
#define BAND_Y       660u /* curve of running threads */
#define BAND_HEIGHT  450u
#define READY_Y      1210u /* curve of threads without a CPU */
#define TABLE_Y      1830u
#define TABLE_LEVELS 12u /* levels with a number of their own */
#define TICKS_MAX    12u

#define CAVEATS_CELLS ((PICTURE_WIDTH - 2 * PICTURE_MARGIN) / SVG_CELL)

/*
 * After Okabe and Ito: colours that people who see no red or no green can tell apart. Black text is
 * readable on all but "stopped".
 */
const struct picture_style PICTURE_STATES[TIMELINE_STATE_COUNT] = {
    [TIMELINE_RUNNING] = {"r", "#2fb48c"}, [TIMELINE_READY] = {"w", "#f0e442"},
    [TIMELINE_LOCK] = {"l", "#e0651a"},    [TIMELINE_THREADS] = {"c", "#cc79a7"},
    [TIMELINE_IO] = {"i", "#56b4e9"},      [TIMELINE_SLEEPING] = {"s", "#d5dce3"},
    [TIMELINE_BLOCKED] = {"b", "#9aa6b2"}, [TIMELINE_STOPPED] = {"t", "#333333"},
    [TIMELINE_UNKNOWN] = {"u", "url(#u)"},
};

uint64_t picture_place(const struct picture *picture, uint64_t time_ns)
{
    uint64_t part = time_ns - picture->timeline->start_ns, whole = picture->length_ns;

    while (whole >> 49) {
        whole >>= 1;
        part >>= 1;
    }
    return part * PICTURE_PLOT / whole;
}

void picture_text(FILE *out, uint64_t x, uint64_t y, const char *style)
{
    fputs("<text x=\"", out);
    svg_number(out, x);
    fputs("\" y=\"", out);
    svg_number(out, y);
    fprintf(out, "\"%s>", style);
}

void picture_line(FILE *out, uint64_t x, uint64_t y, uint64_t x_end, uint64_t y_end)
{
    fputs("<path class=\"g\" d=\"M", out);
    svg_number(out, x);
    fputc(' ', out);
    svg_number(out, y);
    fputc('L', out);
    svg_number(out, x_end);
    fputc(' ', out);
    svg_number(out, y_end);
    fputs("\"/>\n", out);
}

/* Returns the least step, 1, 2 or 5 times a power of ten, of which `length` has few enough. */
static uint64_t round_step(uint64_t length, uint64_t steps_max)
{
    uint64_t power = 1;

    for (;; power *= 10) {
        if (length / power <= steps_max || power > UINT64_MAX / 100)
            return power;
        if (length / (2 * power) <= steps_max)
            return 2 * power;
        if (length / (5 * power) <= steps_max)
            return 5 * power;
    }
}

/*
 * Writes "1.2 s" with the digits that steps of `step_ns` need. The unit suits the length, and the
 * time before the part that is shown.
 */
static void put_time(const struct picture *picture, uint64_t time_ns, uint64_t step_ns)
{
    static const struct {
        const char *name;
        uint64_t ns;
    } units[] = {{"s", 1000000000}, {"ms", 1000000}, {"µs", 1000}, {"ns", 1}};
    uint64_t before_ns = picture->timeline->start_ns - picture->timeline->zero_ns;
    size_t i = 0;
    int digits = 0;

    while (i < 3 && picture->length_ns < 2 * units[i].ns && before_ns < units[i].ns)
        i++;
    for (uint64_t unit = units[i].ns; unit > step_ns; unit /= 10)
        digits++;
    fprintf(picture->out, "%" PRIu64, time_ns / units[i].ns);
    if (digits > 0) {
        uint64_t rest = time_ns % units[i].ns, unit = units[i].ns;

        for (int d = 0; d < digits; d++)
            unit /= 10;
        fprintf(picture->out, ".%0*" PRIu64, digits, rest / unit);
    }
    fprintf(picture->out, " %s", units[i].name);
}

static void put_axis(const struct picture *picture)
{
    const struct timeline *timeline = picture->timeline;
    uint64_t step_ns = round_step(picture->length_ns, TICKS_MAX);
    uint64_t before_ns = timeline->start_ns - timeline->zero_ns, past_ns = before_ns % step_ns;

    for (uint64_t at_ns = past_ns ? step_ns - past_ns : 0; at_ns <= picture->length_ns;
         at_ns += step_ns) {
        uint64_t x = PICTURE_LABELS + picture_place(picture, timeline->start_ns + at_ns);

        picture_line(picture->out, x, BAND_Y, x, picture->rows_end);
        for (int i = 0; i < 2; i++) {
            picture_text(picture->out, x,
                         i ? picture->rows_end + 2 * PICTURE_FONT_HEIGHT : PICTURE_AXIS_Y,
                         " class=\"m\"");
            put_time(picture, before_ns + at_ns, step_ns);
            fputs("</text>\n", picture->out);
        }
        if (at_ns > UINT64_MAX - step_ns)
            break;
    }
}

static enum status put_title(const struct picture *picture, const char *title)
{
    const struct window *window = &picture->timeline->history->window;
    char length[AMOUNT_TEXT_MAX], part[WINDOW_TEXT_MAX];
    char *clean = text_clean(title, TEXT_REPLACE_CONTROLS);

    if (!clean)
        return STATUS_NO_MEMORY;
    picture_text(picture->out, PICTURE_MARGIN, TITLE_Y, " class=\"h\"");
    svg_text_middle(picture->out, clean, TITLE_CELLS, TITLE_END);
    fprintf(picture->out, "</text>\n");
    picture_text(picture->out, PICTURE_WIDTH - PICTURE_MARGIN - 80, TITLE_Y, " class=\"e\"");
    fprintf(picture->out, "%zu thread%s, ", picture->timeline->row_count,
            plural(picture->timeline->row_count));
    if (picture->timeline->unsampled)
        fprintf(picture->out, "%zu more never sampled, ", picture->timeline->unsampled);
    fprintf(picture->out, "%s</text>\n",
            window_is_part(window) ? window_text(part, window)
                                   : amount_weight(length, WEIGHT_WALL, picture->length_ns));
    free(clean);
    return STATUS_OK;
}

/* Writes the caveats on one line, between title and legend. */
static enum status put_caveats(const struct picture *picture, const char *caveats)
{
    char *line = strdup(caveats), *to = line;

    if (!line)
        return STATUS_NO_MEMORY;
    for (const char *from = caveats; *from; from++)
        if (*from != '\n')
            *to++ = *from;
        else
            from += strspn(from + 1, " ") ? strspn(from + 1, " ") - 1 : 0;
    *to = '\0';
    picture_text(picture->out, PICTURE_MARGIN, CAVEATS_Y, "");
    svg_text_cut(picture->out, line, CAVEATS_CELLS);
    fputs("</text>\n", picture->out);
    free(line);
    return STATUS_OK;
}

/* Draws the states that occur, with their shares of the time of all threads shown. */
static void put_legend(const struct picture *picture)
{
    uint64_t x = PICTURE_MARGIN, total_ns = 0;
    char share[AMOUNT_TEXT_MAX];

    for (size_t i = 0; i < TIMELINE_STATE_COUNT; i++)
        total_ns = weight_add(total_ns, picture->state_ns[i]);
    for (size_t i = 0; i < TIMELINE_STATE_COUNT; i++) {
        const char *name = timeline_state_name((enum timeline_state)i);

        if (!picture->state_ns[i])
            continue;
        svg_rect(picture->out, x, LEGEND_Y - 90, 140, 110, PICTURE_STATES[i].class);
        fputs("/>", picture->out);
        picture_text(picture->out, x + 200, LEGEND_Y, "");
        fprintf(picture->out, "%s %s</text>\n", name,
                amount_share(share, picture->state_ns[i], total_ns));
        x += 200 + (strlen(name) + strlen(share) + 1) * SVG_CELL + 180;
    }
}

/* A curve over time, from `y` down to its foot. */
struct band {
    const char *name, *style;
    uint64_t y;
    uint64_t values[PICTURE_COLUMNS_MAX]; /* threads, as concurrency.h counts them */
};

/* Draws an area below a step line over the columns. */
static void put_area(const struct picture *picture, const struct band *band, uint64_t most)
{
    const uint64_t foot = band->y + BAND_HEIGHT;
    uint64_t last = UINT64_MAX;

    fprintf(picture->out, "<path class=\"%s\" d=\"M", band->style);
    svg_number(picture->out, PICTURE_LABELS);
    fputc(' ', picture->out);
    svg_number(picture->out, foot);
    for (size_t i = 0; i < PICTURE_COLUMNS_MAX; i++) {
        uint64_t y = foot - band->values[i] * BAND_HEIGHT / (most * CONCURRENCY_ONE);

        if (y != last && i > 0) {
            fputc('H', picture->out);
            svg_number(picture->out, PICTURE_LABELS + i * PICTURE_COLUMN);
        }
        if (y != last) {
            fputc('V', picture->out);
            svg_number(picture->out, y);
        }
        last = y;
    }
    fputc('H', picture->out);
    svg_number(picture->out, PICTURE_LABELS + PICTURE_PLOT);
    fputc('V', picture->out);
    svg_number(picture->out, foot);
    fputs("z\"/>\n", picture->out);
}

static void put_band(const struct picture *picture, const struct band *band)
{
    uint64_t most = 1, step;

    for (size_t i = 0; i < PICTURE_COLUMNS_MAX; i++)
        if (band->values[i] > most * CONCURRENCY_ONE)
            most = (band->values[i] + CONCURRENCY_ONE - 1) / CONCURRENCY_ONE;
    picture_text(picture->out, PICTURE_MARGIN, band->y + BAND_HEIGHT / 2 + 35, "");
    fprintf(picture->out, "%s</text>\n", band->name);
    put_area(picture, band, most);
    step = round_step(most, 4);
    for (uint64_t level = 0; level <= most; level += step) {
        uint64_t y = band->y + BAND_HEIGHT - level * BAND_HEIGHT / most;

        picture_line(picture->out, PICTURE_LABELS, y, PICTURE_LABELS + PICTURE_PLOT, y);
        picture_text(picture->out, PICTURE_LABELS - 60, y + 35, " class=\"e\"");
        fprintf(picture->out, "%" PRIu64 "</text>\n", level);
    }
}

/* Draws two curves, as running threads may be few beside those that wait for a CPU. */
static enum status put_bands(const struct picture *picture)
{
    struct band running = {.name = "threads running",
                           .style = PICTURE_STATES[TIMELINE_RUNNING].class,
                           .y = BAND_Y};
    struct band ready = {.name = "threads ready",
                         .style = PICTURE_STATES[TIMELINE_READY].class,
                         .y = READY_Y};
    struct concurrency_bin *bins = calloc(PICTURE_COLUMNS_MAX, sizeof(*bins));
    enum status status =
        bins ? concurrency_bins(picture->timeline, bins, PICTURE_COLUMNS_MAX) : STATUS_NO_MEMORY;

    for (size_t i = 0; status == STATUS_OK && i < PICTURE_COLUMNS_MAX; i++) {
        running.values[i] = bins[i].running;
        ready.values[i] = bins[i].ready;
    }
    free(bins);
    if (status != STATUS_OK)
        return status;
    put_band(picture, &running);
    put_band(picture, &ready);
    return STATUS_OK;
}

/* Writes for what share of the time how many threads ran. */
static enum status put_table(const struct picture *picture)
{
    struct concurrency found;
    enum status status = concurrency_create(picture->timeline, &found);
    uint64_t rest_ns = 0, average;
    char share[AMOUNT_TEXT_MAX];

    if (status != STATUS_OK)
        return status;
    picture_text(picture->out, PICTURE_LABELS, TABLE_Y, "");
    fputs("ran at once:", picture->out);
    for (size_t i = 0; i < found.level_count; i++) {
        if (i < TABLE_LEVELS)
            fprintf(picture->out, " %s%zu for %s", i ? "\xc2\xb7 " : "", i,
                    amount_share(share, found.level_ns[i], found.total_ns));
        else
            rest_ns += found.level_ns[i];
    }
    if (rest_ns > 0)
        fprintf(picture->out, " \xc2\xb7 more for %s",
                amount_share(share, rest_ns, found.total_ns));
    average = concurrency_average(&found);
    fprintf(picture->out, "; on average %" PRIu64 ".%02" PRIu64 "</text>\n", average / 100,
            average % 100);
    concurrency_deinit(&found);
    return STATUS_OK;
}

enum status picture_put_head(const struct picture *picture, const char *title, const char *caveats)
{
    enum status status = put_title(picture, title);

    if (status == STATUS_OK && caveats && *caveats)
        status = put_caveats(picture, caveats);
    put_legend(picture);
    if (status == STATUS_OK)
        status = put_bands(picture);
    if (status == STATUS_OK)
        status = put_table(picture);
    put_axis(picture);
    return status;
}
