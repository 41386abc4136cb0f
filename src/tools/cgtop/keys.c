/* SPDX-License-Identifier: MIT */
#include "tools/cgtop/top.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/write_all.h"
#include "tools/cgtop/screen.h"

#define MESSAGE_NS UINT64_C(5000000000)

void top_say(struct top *top, bool is_bad, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(top->message, sizeof(top->message), format, args);
    va_end(args);
    top->message_is_bad = is_bad;
    top->message_until_ns = clock_now_ns() + MESSAGE_NS;
}

int top_page(void)
{
    int lines, columns;

    screen_size(&lines, &columns);
    return lines > TOP_HEAD_LINES + 2 ? lines - TOP_HEAD_LINES - 1 : 1;
}

void top_keep_in_sight(struct top *top)
{
    struct top_place *place = &top->places[top->list];
    const size_t page = (size_t)top_page();

    if (place->first > place->cursor)
        place->first = place->cursor;
    if (place->cursor - place->first >= page)
        place->first = place->cursor - page + 1;
    if (place->first + page > top->rows.count)
        place->first = top->rows.count > page ? top->rows.count - page : 0;
}

static void choose(struct top *top, size_t row)
{
    struct top_place *place = &top->places[top->list];

    if (row >= top->rows.count)
        row = top->rows.count ? top->rows.count - 1 : 0;
    place->cursor = row;
    place->key = row < top->rows.count ? top->rows.list[row].key : 0;
    top_keep_in_sight(top);
}

static const struct shown_row *chosen(const struct top *top)
{
    const size_t cursor = top->places[top->list].cursor;

    return cursor < top->rows.count ? &top->rows.list[cursor] : NULL;
}

/* Moves the cursor. False: the key is for something else. */
static bool move_cursor(struct top *top, int key)
{
    const size_t cursor = top->places[top->list].cursor, page = (size_t)top_page();

    switch (key) {
    case SCREEN_UP:
    case 'k':
        choose(top, cursor ? cursor - 1 : 0);
        return true;
    case SCREEN_DOWN:
    case 'j':
        choose(top, cursor + 1);
        return true;
    case SCREEN_PAGE_UP:
        choose(top, cursor > page ? cursor - page : 0);
        return true;
    case SCREEN_PAGE_DOWN:
        choose(top, cursor + page);
        return true;
    case SCREEN_HOME:
    case 'g':
        choose(top, 0);
        return true;
    case SCREEN_END:
    case 'G':
        choose(top, SIZE_MAX);
        return true;
    default:
        return false;
    }
}

static enum status show_list(struct top *top, enum top_list list)
{
    top->list = list;
    return top_order_rows(top);
}

/* Orders by the column `step` to the right of the present one, cyclically. */
static enum status order_by(struct top *top, int step)
{
    struct top_place *place = &top->places[top->list];
    size_t count = 0, at = 0;
    enum top_order order;

    for (; top_order_name(top->list, count, &order); count++)
        if (order == place->order)
            at = count;
    if (count == 0)
        return STATUS_OK;
    (void)top_order_name(top->list, (at + count + (size_t)step) % count, &place->order);
    place->is_reversed = false;
    return top_order_rows(top);
}

static enum status reverse(struct top *top)
{
    top->places[top->list].is_reversed ^= true;
    return top_order_rows(top);
}

static enum status next_weight(struct top *top)
{
    static const enum weight_kind next[WEIGHT_COUNT] = {[WEIGHT_CPU] = WEIGHT_WALL,
                                                        [WEIGHT_WALL] = WEIGHT_OFFCPU,
                                                        [WEIGHT_OFFCPU] = WEIGHT_SAMPLES,
                                                        [WEIGHT_SAMPLES] = WEIGHT_CPU};

    top->weight = next[top->weight];
    top->weight_given = true;
    return top_look(top);
}

static enum status leave_thread(struct top *top)
{
    top->filter.has_tid = false;
    return top_look(top);
}

/* Folds or unfolds the chosen row of the tree. */
static enum status fold(struct top *top, bool is_folded)
{
    const struct shown_row *row = chosen(top);

    if (!row || row->cut || top->list != TOP_TREE)
        return STATUS_OK;
    if (is_folded && map_len(&top->folded) >= TOP_FOLDED_MAX)
        map_clear(&top->folded);
    if (is_folded && row->has_kids && !map_put(&top->folded, row->key, 1))
        return STATUS_NO_MEMORY;
    if (!is_folded)
        map_remove(&top->folded, row->key);
    return top_order_rows(top);
}

static enum status enter(struct top *top)
{
    const struct shown_row *row = chosen(top);
    const char *name;

    if (!row)
        return STATUS_OK;
    if (top->list == TOP_TREE)
        return fold(top, !row->is_folded);
    if (top->list != TOP_THREADS)
        return STATUS_OK;
    name = top->moment->history.threads[row->thread].name;
    snprintf(top->thread_name, sizeof(top->thread_name), "%s", name);
    top->filter.has_tid = true;
    top->filter.tid = row->tid;
    top->list = TOP_FUNCTIONS;
    return top_look(top);
}

static enum status take_pattern(struct top *top)
{
    const bool has_tid = top->filter.has_tid;
    const uint32_t tid = top->filter.tid;
    struct graph_filter filter = {.has_tid = has_tid, .tid = tid};
    struct diag diag;

    top->is_typing = false;
    if (top->typed[0] && graph_filter_set(&filter, FILTER_FOCUS, top->typed, &diag) != STATUS_OK) {
        top_say(top, true, "%s", diag.what);
        graph_filter_deinit(&filter);
        return STATUS_OK;
    }
    graph_filter_deinit(&top->filter);
    top->filter = filter;
    memcpy(top->pattern, top->typed, sizeof(top->pattern));
    return top_look(top);
}

/* Encodes a code point as UTF-8; returns the number of bytes. */
static size_t encode(int c, char bytes[4])
{
    const unsigned code = (unsigned)c;

    if (code < 0x80) {
        bytes[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        bytes[0] = (char)(0xc0 | code >> 6);
        bytes[1] = (char)(0x80 | (code & 0x3f));
        return 2;
    }
    if (code < 0x10000) {
        bytes[0] = (char)(0xe0 | code >> 12);
        bytes[1] = (char)(0x80 | (code >> 6 & 0x3f));
        bytes[2] = (char)(0x80 | (code & 0x3f));
        return 3;
    }
    bytes[0] = (char)(0xf0 | code >> 18);
    bytes[1] = (char)(0x80 | (code >> 12 & 0x3f));
    bytes[2] = (char)(0x80 | (code >> 6 & 0x3f));
    bytes[3] = (char)(0x80 | (code & 0x3f));
    return 4;
}

static enum status type(struct top *top, int key)
{
    size_t len = strlen(top->typed);
    char bytes[4];
    size_t n;

    switch (key) {
    case SCREEN_ENTER:
        return take_pattern(top);
    case SCREEN_ESCAPE:
        top->is_typing = false;
        return STATUS_OK;
    case SCREEN_ERASE:
        while (len > 0 && ((unsigned char)top->typed[--len] & 0xc0) == 0x80)
            ;
        top->typed[len] = '\0';
        return STATUS_OK;
    case 'U' - '@': /* Ctrl-U */
        top->typed[0] = '\0';
        return STATUS_OK;
    default:
        if (key < 0x20 || (key >= 0x7f && key < 0xa0) || key >= SCREEN_UP)
            return STATUS_OK;
        n = encode(key, bytes);
        if (len + n > TOP_PROMPT_MAX)
            return STATUS_OK;
        memcpy(top->typed + len, bytes, n);
        top->typed[len + n] = '\0';
        return STATUS_OK;
    }
}

/* Copies the snapshot of the moment to `to`. */
static bool copy_snapshot(const struct top *top, int to)
{
    uint8_t bytes[16384];
    off_t off = 0;
    ssize_t n;

    while ((n = pread(top->snapshot_fd, bytes, sizeof(bytes), off)) > 0) {
        if (!write_all(to, bytes, (size_t)n))
            return false;
        off += n;
    }
    return n == 0;
}

static void write_snapshot(struct top *top)
{
    char line[sizeof(struct diag)];
    struct diag diag = {.has_off = false};
    FILE *file;
    bool is_whole;

    if (!top->moment) {
        top_say(top, true, "there is nothing to write yet");
        return;
    }
    file = opener_open(&top->opener, 0, &diag);
    if (!file) {
        diag.hint[0] = '\0'; /* it names options of cgunwind */
        top_say(top, true, "%s", diag_format(&diag, line, sizeof(line)));
        return;
    }
    is_whole = copy_snapshot(top, fileno(file));
    if (fclose(file) != 0 || !is_whole)
        top_say(top, true, "%s: cannot write: %s", diag.file, strerror(errno));
    else
        top_say(top, false, "written: %s", diag.file);
}

static void freeze(struct top *top)
{
    top->is_frozen ^= true;
    if (!top->is_frozen)
        top->refresh_ns = 0;
}

static void begin_typing(struct top *top)
{
    top->is_typing = true;
    memcpy(top->typed, top->pattern, sizeof(top->typed));
}

enum status top_key(struct top *top, int key)
{
    if (top->is_typing)
        return type(top, key);
    if (top->helps && key != SCREEN_RESIZED) {
        top->helps = false;
        return STATUS_OK;
    }
    if (move_cursor(top, key))
        return STATUS_OK;
    switch (key) {
    case 'q':
    case SCREEN_F1 + 9:
        top->quits = true;
        return STATUS_OK;
    case 'h':
    case '?':
    case SCREEN_F1:
        top->helps = true;
        return STATUS_OK;
    case '1':
    case '2':
    case '3':
        return show_list(top, (enum top_list)(key - '1'));
    case '\t':
        return show_list(top, (top->list + 1) % TOP_LISTS);
    case 't':
    case SCREEN_F1 + 4:
        return show_list(top, top->list == TOP_TREE ? TOP_FUNCTIONS : TOP_TREE);
    case '/':
    case '\\':
    case SCREEN_F1 + 2:
    case SCREEN_F1 + 3:
        begin_typing(top);
        return STATUS_OK;
    case 's':
    case '>':
    case SCREEN_F1 + 5:
        return order_by(top, 1);
    case '<':
        return order_by(top, -1);
    case 'I':
        return reverse(top);
    case 'm':
        return next_weight(top);
    case ' ':
    case 'Z':
        freeze(top);
        return STATUS_OK;
    case 'w':
        write_snapshot(top);
        return STATUS_OK;
    case '-':
    case SCREEN_LEFT:
        return fold(top, true);
    case '+':
    case SCREEN_RIGHT:
        return fold(top, false);
    case '*':
        map_clear(&top->folded);
        return top_order_rows(top);
    case SCREEN_ENTER:
        return enter(top);
    case SCREEN_ESCAPE:
    case SCREEN_ERASE:
        return leave_thread(top);
    case SCREEN_RESIZED:
        top_keep_in_sight(top);
        return STATUS_OK;
    default:
        return STATUS_OK;
    }
}
