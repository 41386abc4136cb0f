/* SPDX-License-Identifier: MIT */
#include "tools/cgtop/top.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/plural.h"
#include "graph/amount.h"
#include "snapshot/loss.h"
#include "tools/cgtop/screen.h"

#define INDENT_MAX 40u /* columns */

/* Where the next text of a line is drawn. */
struct draw_pen {
    int line, column, columns; /* columns of the screen */
};

static void put(struct draw_pen *pen, enum screen_style style, const char *text)
{
    pen->column += screen_put(pen->line, pen->column, pen->columns - pen->column, style, text);
}

/* Draws text aligned to the right of `width` columns, then a space. */
static void put_number(struct draw_pen *pen, int width, enum screen_style style, const char *text)
{
    screen_put_right(pen->line, pen->column, width, style, text);
    pen->column += width + 1;
}

/* Draws text in `width` columns, then a space. */
static void put_column(struct draw_pen *pen, int width, enum screen_style style, const char *text)
{
    int room = pen->columns - pen->column;

    screen_put(pen->line, pen->column, width < room ? width : room, style, text);
    pen->column += width + 1;
}

static void put_pair(struct draw_pen *pen, const char *name, enum screen_style style,
                     const char *value)
{
    put(pen, STYLE_NAME, name);
    put(pen, style, value);
    put(pen, STYLE_PLAIN, "  ");
}

static const struct {
    const char *name;
    enum top_order order;
} orders[TOP_LISTS][4] = {
    [TOP_FUNCTIONS] = {{"self", ORDER_SELF}, {"total", ORDER_TOTAL}, {"name", ORDER_NAME}},
    [TOP_TREE] = {{NULL, ORDER_TOTAL}},
    [TOP_THREADS] = {{"tid", ORDER_TID},
                     {"state", ORDER_STATE},
                     {"CPU", ORDER_CPU},
                     {"name", ORDER_NAME}},
};

const char *top_order_name(enum top_list list, size_t i, enum top_order *order)
{
    if (i >= sizeof(orders[0]) / sizeof(orders[0][0]) || !orders[list][i].name)
        return NULL;
    *order = orders[list][i].order;
    return orders[list][i].name;
}

static const char *order_name(const struct top *top)
{
    const char *name;
    enum top_order order;

    for (size_t i = 0; (name = top_order_name(top->list, i, &order)); i++)
        if (order == top->places[top->list].order)
            return name;
    return "total";
}

static void draw_title(const struct top *top, int columns)
{
    struct draw_pen pen = {.columns = columns};
    const char *status = top->has_ended ? top->ended : top->is_frozen ? "frozen" : NULL;
    char clock[16] = "";
    const time_t now = time(NULL);
    struct tm local;
    int right = columns;

    if (localtime_r(&now, &local))
        strftime(clock, sizeof(clock), "%H:%M:%S", &local);
    put(&pen, STYLE_BOLD, "cgtop  ");
    if (!status) {
        right -= (int)strlen(clock);
        screen_put(0, right, columns - right, STYLE_PLAIN, clock);
    } else {
        right -= screen_width(status);
        right = right < columns / 3 ? columns / 3 : right;
        screen_put(0, right, columns - right, top->has_ended ? STYLE_BAD : STYLE_WARN, status);
    }
    pen.columns = right - 1;
    put(&pen, STYLE_PLAIN, top->moment ? top->moment->ingest.title.text : "");
}

/*
 * Formats the share of CPU time; "-" for less than one round, in which the CPU time from before it
 * would be divided by hardly any time.
 */
static const char *cpu_share(const struct moment *moment, char *text, size_t size)
{
    const uint64_t span_ns = moment->ingest.duration_ns;

    if (span_ns < UINT64_C(1000000000000) / moment->summary.rate_asked_mhz)
        return "-";
    snprintf(text, size, "%.1f%%",
             (double)moment->ingest.account.cpu.used_ns * 100 / (double)span_ns);
    return text;
}

static void draw_counts(const struct top *top, int columns)
{
    struct draw_pen pen = {.line = 1, .columns = columns};
    const struct top_counts *counts = &top->counts;
    const struct moment *moment = top->moment;
    char text[160], reached[AMOUNT_TEXT_MAX], asked[AMOUNT_TEXT_MAX];

    snprintf(text, sizeof(text), "%zu", counts->running + counts->ready + counts->waiting);
    put_pair(&pen, "Threads: ", STYLE_BOLD, text);
    snprintf(text, sizeof(text), "%zu running", counts->running);
    put(&pen, counts->running ? STYLE_GOOD : STYLE_PLAIN, text);
    snprintf(text, sizeof(text), ", %zu ready, %zu waiting", counts->ready, counts->waiting);
    put(&pen, STYLE_PLAIN, text);
    if (counts->ended) {
        snprintf(text, sizeof(text), ", %zu ended", counts->ended);
        put(&pen, STYLE_PLAIN, text);
    }
    put(&pen, STYLE_PLAIN, "  ");
    put_pair(&pen, "CPU: ", STYLE_BOLD, cpu_share(moment, text, sizeof(text)));
    snprintf(text, sizeof(text), "%s of %s Hz",
             amount_hertz(reached, moment->summary.rate_reached_mhz),
             amount_hertz(asked, moment->summary.rate_asked_mhz));
    put_pair(&pen, "Rate: ", STYLE_PLAIN, text);
}

static void draw_window(const struct top *top, int columns)
{
    struct draw_pen pen = {.line = 2, .columns = columns};
    const uint64_t lost = snap_loss_sum(top->moment->ingest.account.lost);
    char text[VIEW_SUMMARY_MAX];

    snprintf(text, sizeof(text), "%.1f of %.4g s", (double)top->moment->ingest.duration_ns / 1e9,
             (double)top->options.window_ns / 1e9);
    put_pair(&pen, "Window: ", STYLE_PLAIN, text);
    snprintf(text, sizeof(text), "%" PRIu64, lost);
    put_pair(&pen, "Lost: ", lost ? STYLE_BAD : STYLE_PLAIN, text);
    if (recent_is_cut(top->recent))
        put(&pen, STYLE_WARN, "cut, for memory  ");
    put(&pen, STYLE_PLAIN, view_summary(top->aspect.view, text));
}

static void draw_choices(const struct top *top, int columns)
{
    static const char *const names[TOP_LISTS] = {" 1 Functions ", " 2 Tree ", " 3 Threads "};
    struct draw_pen pen = {.line = 3, .columns = columns};
    char text[160];

    for (int i = 0; i < TOP_LISTS; i++) {
        put(&pen, i == (int)top->list ? STYLE_CURSOR : STYLE_PLAIN, names[i]);
        put(&pen, STYLE_PLAIN, " ");
    }
    put(&pen, STYLE_PLAIN, " ");
    put_pair(&pen, "Weight: ", STYLE_PLAIN, amount_weight_name(top->weight));
    snprintf(text, sizeof(text), "%s%s", order_name(top),
             top->places[top->list].is_reversed ? " (reversed)" : "");
    put_pair(&pen, "Sort: ", STYLE_PLAIN, text);
    if (top->filter.has_tid) {
        snprintf(text, sizeof(text), "%" PRIu32 " %s (Esc: all)", top->filter.tid,
                 top->thread_name);
        put_pair(&pen, "Thread: ", STYLE_WARN, text);
    }
    if (top->pattern[0])
        put_pair(&pen, "Filter: ", STYLE_WARN, top->pattern);
}

static void draw_heads(const struct top *top, int columns)
{
    struct draw_pen pen = {.line = 4, .columns = columns};
    const bool counts = top->weight == WEIGHT_SAMPLES;

    screen_fill(4, 0, -1, STYLE_HEAD);
    switch (top->list) {
    case TOP_FUNCTIONS:
        put_number(&pen, 8, STYLE_HEAD, "SELF");
        put_number(&pen, 8, STYLE_HEAD, "TOTAL");
        put_number(&pen, 11, STYLE_HEAD, counts ? "SAMPLES" : "TIME");
        put(&pen, STYLE_HEAD, " FUNCTION [MODULE]");
        break;
    case TOP_TREE:
        put_number(&pen, 8, STYLE_HEAD, "TOTAL");
        put_number(&pen, 8, STYLE_HEAD, "SELF");
        put_number(&pen, 11, STYLE_HEAD, counts ? "SAMPLES" : "TIME");
        put(&pen, STYLE_HEAD, " FUNCTION [MODULE]");
        break;
    case TOP_THREADS:
        put_number(&pen, 7, STYLE_HEAD, "TID");
        put_column(&pen, 17, STYLE_HEAD, "STATE");
        put_number(&pen, 7, STYLE_HEAD, "CPU");
        put_column(&pen, 15, STYLE_HEAD, "NAME");
        put(&pen, STYLE_HEAD, "WAITS FOR, IN FUNCTION");
        break;
    }
}

/* Returns `usual`, or the cursor's style for the chosen row. */
static enum screen_style style(bool is_chosen, enum screen_style usual)
{
    return is_chosen ? STYLE_CURSOR : usual;
}

static void put_share(struct draw_pen *pen, bool is_chosen, uint64_t part, uint64_t total)
{
    char number[AMOUNT_TEXT_MAX];

    put_number(pen, 8, style(is_chosen, part ? STYLE_PLAIN : STYLE_DIM),
               amount_share(number, part, total));
}

static void put_name(struct draw_pen *pen, bool is_chosen, const struct shown_row *row)
{
    const bool is_bracketed = row->module[0] == '[';

    put(pen, style(is_chosen, row->self ? STYLE_BOLD : STYLE_PLAIN), row->name);
    if (strcmp(row->name, row->module) == 0)
        return;
    put(pen, style(is_chosen, STYLE_DIM), is_bracketed ? " " : " [");
    put(pen, style(is_chosen, STYLE_DIM), row->module);
    put(pen, style(is_chosen, STYLE_DIM), is_bracketed ? "" : "]");
}

static void draw_function(const struct top *top, const struct shown_row *row, bool is_chosen,
                          struct draw_pen *pen)
{
    const uint64_t total = top->aspect.view->total;
    char number[AMOUNT_TEXT_MAX];

    put_share(pen, is_chosen, row->self, total);
    put_share(pen, is_chosen, row->total, total);
    put_number(pen, 11, style(is_chosen, STYLE_PLAIN),
               amount_weight(number, top->weight, row->total));
    put(pen, style(is_chosen, STYLE_PLAIN), " ");
    put_name(pen, is_chosen, row);
}

static void draw_branch(const struct top *top, const struct shown_row *row, bool is_chosen,
                        struct draw_pen *pen)
{
    const uint64_t total = top->aspect.view->total;
    char number[AMOUNT_TEXT_MAX], text[64];

    put_share(pen, is_chosen, row->total, total);
    if (row->cut)
        put_number(pen, 8, style(is_chosen, STYLE_PLAIN), "");
    else
        put_share(pen, is_chosen, row->self, total);
    put_number(pen, 11, style(is_chosen, STYLE_PLAIN),
               amount_weight(number, top->weight, row->total));
    pen->column += (int)(row->level * 2 < INDENT_MAX ? row->level * 2 : INDENT_MAX);
    if (row->cut) {
        snprintf(text, sizeof(text), "  (%" PRIu32 " more below 0.50%%)", row->cut);
        put(pen, style(is_chosen, STYLE_DIM), text);
        return;
    }
    put(pen, style(is_chosen, STYLE_NAME), row->is_folded ? "+ " : row->has_kids ? "- " : "  ");
    put_name(pen, is_chosen, row);
}

static enum screen_style state_style(enum timeline_state state)
{
    switch (state) {
    case TIMELINE_RUNNING:
        return STYLE_GOOD;
    case TIMELINE_READY:
        return STYLE_WARN;
    case TIMELINE_LOCK:
    case TIMELINE_STOPPED:
        return STYLE_BAD;
    case TIMELINE_THREADS:
    case TIMELINE_IO:
    case TIMELINE_SLEEPING:
    case TIMELINE_BLOCKED:
    case TIMELINE_UNKNOWN:
        return STYLE_PLAIN;
    }
    return STYLE_PLAIN;
}

static void draw_thread(const struct shown_row *row, bool is_chosen, struct draw_pen *pen)
{
    char number[AMOUNT_TEXT_MAX];

    snprintf(number, sizeof(number), "%" PRIu32, row->tid);
    put_number(pen, 7, style(is_chosen, STYLE_PLAIN), number);
    put_column(pen, 17, style(is_chosen, row->has_ended ? STYLE_DIM : state_style(row->state)),
               row->has_ended ? "ended" : timeline_state_name(row->state));
    put_number(pen, 7, style(is_chosen, row->cpu_ns ? STYLE_BOLD : STYLE_DIM),
               row->wall_ns ? amount_share(number, row->cpu_ns, row->wall_ns) : "-");
    put_column(pen, 15, style(is_chosen, STYLE_PLAIN), row->name);
    put(pen, style(is_chosen, STYLE_PLAIN), row->what);
    if (row->what[0] && row->in[0])
        put(pen, style(is_chosen, STYLE_PLAIN), ", ");
    if (row->in[0])
        put(pen, style(is_chosen, STYLE_DIM), "in ");
    put(pen, style(is_chosen, STYLE_PLAIN), row->in);
}

static void draw_rows(const struct top *top, int lines, int columns)
{
    const struct top_place *place = &top->places[top->list];

    for (int i = 0; i + TOP_HEAD_LINES + 1 < lines; i++) {
        struct draw_pen pen = {.line = TOP_HEAD_LINES + i, .columns = columns};
        const size_t at = place->first + (size_t)i;
        const bool is_chosen = at == place->cursor;

        if (at >= top->rows.count)
            break;
        if (is_chosen)
            screen_fill(pen.line, 0, -1, STYLE_CURSOR);
        if (top->list == TOP_FUNCTIONS)
            draw_function(top, &top->rows.list[at], is_chosen, &pen);
        else if (top->list == TOP_TREE)
            draw_branch(top, &top->rows.list[at], is_chosen, &pen);
        else
            draw_thread(&top->rows.list[at], is_chosen, &pen);
    }
    if (!top->rows.count)
        screen_put(TOP_HEAD_LINES, 2, columns - 2, STYLE_DIM,
                   top->aspect.view->total ? "Nothing passes the filter."
                                           : "Nothing has this weight; m takes another.");
}

static void draw_prompt(const struct top *top, int line, int columns)
{
    static const char label[] = "Filter (regular expression): ";
    struct draw_pen pen = {.line = line, .columns = columns};
    const char *shown = top->typed;

    put(&pen, STYLE_BOLD, columns > 2 * (int)sizeof(label) ? label : "Filter: ");
    /* Shows the end of a text that is too long. */
    while (*shown && screen_width(shown) > columns - pen.column - 1)
        shown++;
    put(&pen, STYLE_PLAIN, shown);
    screen_point(line, pen.column < columns ? pen.column : columns - 1);
}

static void draw_keys(int line, int columns)
{
    static const struct {
        const char *key, *label;
    } keys[] = {{"h", "Help"},     {"Tab", "View"}, {"/", "Filter"},
                {"s", "Sort"},     {"m", "Weight"}, {"Space", "Freeze"},
                {"Enter", "Open"}, {"w", "Write"},  {"q", "Quit"}};
    struct draw_pen pen = {.line = line, .columns = columns};

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        put(&pen, STYLE_LABEL, i ? " " : "");
        put(&pen, STYLE_KEY, keys[i].key);
        put(&pen, STYLE_LABEL, keys[i].label);
    }
    if (pen.column < columns)
        screen_fill(line, pen.column, -1, STYLE_LABEL);
}

static void draw_last(const struct top *top, int line, int columns)
{
    if (top->is_typing)
        draw_prompt(top, line, columns);
    else if (clock_now_ns() < top->message_until_ns)
        screen_put(line, 0, columns, top->message_is_bad ? STYLE_BAD : STYLE_BOLD, top->message);
    else
        draw_keys(line, columns);
}

static void draw_help(int lines, int columns)
{
    static const char *const help[] = {
        "cgtop shows what a process did in the last seconds, from samples of its stacks.",
        "",
        "  1 2 3, Tab        functions, who calls whom (also t, F5), threads",
        "  arrows PgUp PgDn Home End   move",
        "  / \\ F3 F4         only samples with a function or module that matches",
        "  s < > F6, I       sort by another column; the other way round",
        "  m                 what is counted: CPU, wall or off-CPU time, or samples",
        "  Enter, Esc        on a thread: that thread alone; all again",
        "  + - Enter *       in the tree: unfold, fold; unfold all",
        "  space Z           freeze; go on",
        "  w                 write what is shown, for cgunwind",
        "  q F10             quit",
        "",
        "  SELF: in the function itself; TOTAL: in it and all that it called.",
        "  Shares are of the weight of all samples of the window, filtered or not.",
        "",
        "Any key goes back."};

    for (int i = 0; i < (int)(sizeof(help) / sizeof(help[0])) && i < lines; i++)
        screen_put(i, 0, columns, i ? STYLE_PLAIN : STYLE_BOLD, help[i]);
}

void top_draw(const struct top *top)
{
    int lines, columns;

    screen_size(&lines, &columns);
    screen_begin();
    if (lines < TOP_LINES_MIN || columns < TOP_COLUMNS_MIN) {
        screen_put(0, 0, columns, STYLE_PLAIN, "too small");
    } else if (top->helps) {
        draw_help(lines, columns);
    } else {
        draw_title(top, columns);
        if (top->moment && top->aspect.view) {
            draw_counts(top, columns);
            draw_window(top, columns);
            draw_choices(top, columns);
            draw_heads(top, columns);
            draw_rows(top, lines, columns);
        } else {
            screen_put(2, 0, columns, STYLE_PLAIN,
                       top->has_ended ? "There was nothing to see." : "Waiting for samples …");
        }
        draw_last(top, lines - 1, columns);
    }
    screen_show();
}
