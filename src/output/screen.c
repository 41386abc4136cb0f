/* SPDX-License-Identifier: MIT */
#include "output/screen.h"

#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "base/libc.h"
#include "base/vec.h"
#include "output/columns.h"
#include "output/paint.h"

static const char CUT[] = "…";

struct screen {
    struct screen_options options;
    struct columns columns;
    char *line; /* owned; an incomplete line */
    size_t size, cap;
    bool has_begun;
};

static bool has_lines(const struct screen *s)
{
    return s->options.colour || s->options.columns;
}

/* Writes the line up to `end`, with its coloured spans. */
static void put_painted(const struct screen *s, size_t end)
{
    struct paint_span spans[PAINT_SPANS_MAX];
    const char *caveats = s->options.caveats ? *s->options.caveats : NULL;
    const size_t count = paint_line(s->line, s->size, caveats, spans);
    size_t at = 0;

    for (size_t i = 0; i < count && spans[i].begin < end; i++) {
        const size_t until = spans[i].end < end ? spans[i].end : end;

        fwrite(s->line + at, 1, spans[i].begin - at, s->options.to);
        fputs(paint_begin(spans[i].paint), s->options.to);
        fwrite(s->line + spans[i].begin, 1, until - spans[i].begin, s->options.to);
        fputs(PAINT_END, s->options.to);
        at = until;
    }
    fwrite(s->line + at, 1, end - at, s->options.to);
}

static void put_line(struct screen *s)
{
    const size_t width = s->options.columns;
    size_t end = s->size;

    if (width && columns_fit(&s->columns, s->line, s->size, width) < s->size)
        end = columns_fit(&s->columns, s->line, s->size, width - 1);
    if (s->options.colour)
        put_painted(s, end);
    else
        fwrite(s->line, 1, end, s->options.to);
    if (end < s->size)
        fputs(CUT, s->options.to);
    s->size = 0;
}

static bool take(struct screen *s, const char *bytes, size_t size)
{
    while (size) {
        const char *newline = memchr(bytes, '\n', size);
        const size_t part = newline ? (size_t)(newline - bytes) : size;

        /* One byte more, so that `line` is not NULL for an empty line. */
        if (vec_reserve(&s->line, &s->cap, s->size + part + 1, 1) != STATUS_OK)
            return false;
        memcpy(s->line + s->size, bytes, part);
        s->size += part;
        if (newline) {
            put_line(s);
            putc('\n', s->options.to);
        }
        bytes += part + (newline != NULL);
        size -= part + (newline != NULL);
    }
    return true;
}

static ssize_t write_screen(void *cookie, const char *bytes, size_t size)
{
    struct screen *s = cookie;
    bool right = true;

    if (!s->has_begun && s->options.begin)
        s->options.begin(s->options.context);
    s->has_begun = true;
    if (has_lines(s))
        right = take(s, bytes, size);
    else
        fwrite(bytes, 1, size, s->options.to);
    right = fflush(s->options.to) == 0 && right && !ferror(s->options.to);
    return right ? (ssize_t)size : COOKIE_FAILED;
}

static int close_screen(void *cookie)
{
    struct screen *s = cookie;
    int result;

    if (s->size) /* a last line without its end */
        put_line(s);
    result = fflush(s->options.to) == 0 && !ferror(s->options.to) ? 0 : EOF;
    columns_deinit(&s->columns);
    free(s->line);
    free(s);
    return result;
}

FILE *screen_open(const struct screen_options *options)
{
    struct screen *s = calloc(1, sizeof(*s));
    FILE *file;

    if (!s)
        return NULL;
    s->options = *options;
    columns_init(&s->columns);
    file =
        fopencookie(s, "w", (cookie_io_functions_t){.write = write_screen, .close = close_screen});
    if (!file)
        close_screen(s);
    return file;
}
