/* SPDX-License-Identifier: MIT */
#include "graph/calltrace_line.h"

#include <string.h>

struct line_text {
    const char *at, *end;
};

static void skip_blanks(struct line_text *text)
{
    while (text->at < text->end && (*text->at == ' ' || *text->at == '\t' || *text->at == '\r'))
        text->at++;
}

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool has_prefix(const struct line_text *text)
{
    return text->end - text->at > 2 && text->at[0] == '0' && (text->at[1] | 0x20) == 'x';
}

/* Reads a number. False: none, of more than 64 bits, or followed by another character. */
static bool read_number(struct line_text *text, uint64_t *out)
{
    size_t digits = 0;

    *out = 0;
    if (has_prefix(text))
        text->at += 2;
    for (; text->at < text->end && digit_of(*text->at) >= 0; text->at++, digits++) {
        if (*out >> 60)
            return false;
        *out = *out << 4 | (uint64_t)digit_of(*text->at);
    }
    return digits > 0 && (text->at == text->end || strchr(" \t\r", *text->at));
}

struct calltrace_record calltrace_parse(const char *line, size_t size)
{
    struct line_text text = {.at = line, .end = line + size};
    struct calltrace_record record = {.kind = CALLTRACE_PAIR};
    struct line_text number;

    skip_blanks(&text);
    if (text.at < text.end && (*text.at == 'E' || *text.at == 'X')) {
        number = (struct line_text){.at = text.at + 1, .end = text.end};
        skip_blanks(&number);
        /* Without 0x the E would be a digit. */
        if (has_prefix(&number)) {
            record.kind = *text.at == 'E' ? CALLTRACE_ENTRY : CALLTRACE_EXIT;
            text = number;
        }
    }
    if (!read_number(&text, &record.callee_addr))
        return (struct calltrace_record){.kind = CALLTRACE_NONE};
    skip_blanks(&text);
    if (record.kind == CALLTRACE_PAIR && !read_number(&text, &record.site_addr))
        return (struct calltrace_record){.kind = CALLTRACE_NONE};
    skip_blanks(&text);
    return text.at == text.end ? record : (struct calltrace_record){.kind = CALLTRACE_NONE};
}

bool calltrace_is_empty(const char *line, size_t size)
{
    struct line_text text = {.at = line, .end = line + size};

    skip_blanks(&text);
    return text.at == text.end;
}

bool calltrace_begins(const uint8_t *head, size_t size)
{
    const char *at = (const char *)head;
    const char *end = at + size;
    bool found = false;

    for (size_t i = 0; i < size; i++)
        if ((head[i] < ' ' && !strchr("\t\r\n", head[i])) || head[i] > '~' || head[i] == 0)
            return false;
    while (!found && at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));

        if (!newline)
            break;
        found = calltrace_parse(at, (size_t)(newline - at)).kind != CALLTRACE_NONE;
        at = newline + 1;
    }
    return found;
}
