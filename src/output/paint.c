/* SPDX-License-Identifier: MIT */
#include "output/paint.h"

#include <stdbool.h>
#include <string.h>

#include "unwind/chain.h"

#define BOLD_PERCENT 10u
#define DIM_PERCENT  1u

struct painter {
    const char *line;
    size_t size;
    struct paint_span *spans;
    size_t count;
};

static void add(struct painter *p, size_t begin, size_t end, enum paint paint)
{
    if (p->count < PAINT_SPANS_MAX)
        p->spans[p->count++] = (struct paint_span){begin, end, paint};
}

static bool is_at(const struct painter *p, size_t at, const char *text)
{
    const size_t length = strlen(text);

    return length <= p->size - at && memcmp(p->line + at, text, length) == 0;
}

static bool is_word(const char *text, size_t size, const char *word)
{
    return strlen(word) == size && memcmp(text, word, size) == 0;
}

static bool is_caveat(const struct painter *p, const char *caveats)
{
    while (caveats && *caveats) {
        const size_t length = strcspn(caveats, "\n");

        if (length && length == p->size && memcmp(caveats, p->line, length) == 0)
            return true;
        caveats += length + (caveats[length] == '\n');
    }
    return false;
}

/* Paints lines that have one colour; false: the line is none. */
static bool paint_whole(struct painter *p, const char *caveats)
{
    static const struct {
        const char *begin;
        enum paint paint;
    } lines[] = {{"Deadlock: ", PAINT_ALARM},
                 {"Likely deadlock: ", PAINT_ALARM},
                 {"Possible deadlock: ", PAINT_ALARM},
                 {"Temporary deadlock: ", PAINT_ALARM},
                 {"Locks taken in contradictory orders: ", PAINT_CAUTION}};
    static const char stop[] = "stop: ";

    if (is_caveat(p, caveats) ||
        (is_at(p, 0, stop) && !is_at(p, strlen(stop), stop_reason_name(STOP_THREAD_START)))) {
        add(p, 0, p->size, PAINT_CAUTION);
        return true;
    }
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
        if (is_at(p, 0, lines[i].begin)) {
            add(p, 0, p->size, lines[i].paint);
            return true;
        }
    return false;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Returns the end of "12.34%" or "+1.00%"; `begin`: it is none. */
static size_t share_end(const struct painter *p, size_t begin, unsigned *percent)
{
    size_t at = begin + (p->line[begin] == '+' || p->line[begin] == '-');
    const size_t digits = at;

    for (*percent = 0; at < p->size && is_digit(p->line[at]) && at - digits < 4; at++)
        *percent = *percent * 10 + (unsigned)(p->line[at] - '0');
    if (at == digits || !is_at(p, at, "."))
        return begin;
    for (at++; at < p->size && is_digit(p->line[at]);)
        at++;
    return is_at(p, at, "%") ? at + 1 : begin;
}

static size_t paint_share(struct painter *p, size_t begin)
{
    unsigned percent;
    const size_t end = share_end(p, begin, &percent);

    if (end > begin && (percent >= BOLD_PERCENT || percent < DIM_PERCENT))
        add(p, begin, end, percent >= BOLD_PERCENT ? PAINT_BOLD : PAINT_DIM);
    return end > begin ? end : begin + 1;
}

/* Whether the text is a trust of a source worse than unwind tables. */
static bool is_low_trust(const char *text, size_t size)
{
    for (unsigned i = TRUST_PROLOGUE; i < TRUST_COUNT; i++)
        if (is_word(text, size, trust_name((enum trust)i)))
            return true;
    return false;
}

/* Whether the text expresses a doubt, as in brackets of texts about threads and waits. */
static bool is_doubt(const char *text, size_t size)
{
    static const char *const words[] = {"inferred", "not seen", "never sampled"};

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (memmem(text, size, words[i], strlen(words[i])))
            return true;
    return false;
}

/* Paints " [libc.so.6]" at the end of a line, " [inferred]" anywhere. */
static size_t paint_bracket(struct painter *p, size_t begin)
{
    const char *text = p->line + begin + 1;
    const char *close = memchr(text, ']', p->size - begin - 1);
    const size_t size = close ? (size_t)(close - text) : 0;
    const size_t end = begin + size + 2;

    if (!close)
        return begin + 1;
    if (is_doubt(text, size) || (end == p->size && is_low_trust(text, size)))
        add(p, begin, end, PAINT_CAUTION);
    else if (end == p->size)
        add(p, begin, end, PAINT_DIM);
    else
        return begin + 1;
    return end;
}

/* Paints the address of "#12 0x00007f…", which begins a frame of a chain. */
static size_t paint_address(struct painter *p)
{
    size_t begin = 1, end;

    while (begin < p->size && is_digit(p->line[begin]))
        begin++;
    while (begin > 1 && begin < p->size && p->line[begin] == ' ')
        begin++;
    if (!is_at(p, begin, "0x"))
        return 1;
    for (end = begin; end < p->size && p->line[end] != ' ';)
        end++;
    add(p, begin, end, PAINT_DIM);
    return end;
}

/* Paints "- /usr/bin/prog" behind the function of a frame. */
static size_t paint_path(struct painter *p, size_t begin)
{
    const char *blank = memchr(p->line + begin + 2, ' ', p->size - begin - 2);
    const size_t end = blank ? (size_t)(blank - p->line) : p->size;

    add(p, begin, end, PAINT_DIM);
    return end;
}

size_t paint_line(const char *line, size_t size, const char *caveats,
                  struct paint_span spans[PAINT_SPANS_MAX])
{
    struct painter p = {.line = line, .size = size, .spans = spans};
    bool is_frame = false;
    size_t at = 0;

    if (paint_whole(&p, caveats))
        return p.count;
    if (size && line[0] == '#') {
        at = paint_address(&p);
        is_frame = at > 1;
    }
    while (at < size) {
        const bool begins = at == 0 || line[at - 1] == ' ';

        if (begins && line[at] == '[')
            at = paint_bracket(&p, at);
        else if (begins && is_frame && is_at(&p, at, "- /"))
            at = paint_path(&p, at);
        else if (begins && (is_digit(line[at]) || line[at] == '+' || line[at] == '-'))
            at = paint_share(&p, at);
        else
            at++;
    }
    return p.count;
}

const char *paint_begin(enum paint paint)
{
    switch (paint) {
    case PAINT_DIM:
        return "\033[2m";
    case PAINT_BOLD:
        return "\033[1m";
    case PAINT_CAUTION:
        return "\033[33m";
    case PAINT_ALARM:
        return "\033[1;31m";
    }
    return "";
}
