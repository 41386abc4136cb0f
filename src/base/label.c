/* SPDX-License-Identifier: MIT */
#include "base/label.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static bool opens(char c)
{
    return c == '<' || c == '(' || c == '{' || c == '[';
}

static bool closes(char c)
{
    return c == '>' || c == ')' || c == '}' || c == ']';
}

/*
 * Copies with the contents of brackets replaced. False where they do not balance (operator<<, a ->
 * in a type): `out` is of no use then.
 */
static bool elide(const char *name, char *out)
{
    size_t depth = 0;

    for (const char *c = name; *c; c++) {
        if (closes(*c)) {
            if (depth == 0)
                return false;
            if (--depth == 0 && !opens(c[-1])) {
                *out++ = '.';
                *out++ = '.';
            }
        }
        if (depth == 0)
            *out++ = *c;
        if (opens(*c))
            depth++;
    }
    *out = '\0';
    return depth == 0;
}

/* Of a node that is a line, " (x.c:12)" at the end; 0: there is none, or it is long itself. */
static size_t place_size(const char *name, size_t size)
{
    size_t at = size;

    if (size < 2 || name[--at] != ')' || name[at - 1] < '0' || name[at - 1] > '9')
        return 0;
    while (at > 0 && name[at - 1] >= '0' && name[at - 1] <= '9')
        at--;
    if (at == 0 || name[--at] != ':')
        return 0;
    while (at > 1 && !(name[at] == '(' && name[at - 1] == ' '))
        at--;
    return at > 1 && size - at < LABEL_MAX / 2 ? size - at + 1 : 0;
}

/* Cuts to at most `max` bytes, between two characters. */
static void cut(char *text, size_t max)
{
    size_t end = max - 3;

    if (strlen(text) <= max)
        return;
    while (end > 0 && ((unsigned char)text[end] & 0xc0) == 0x80)
        end--;
    memcpy(text + end, "...", sizeof("..."));
}

static void wrap(const char *text, char *out)
{
    size_t line = 0;

    while (*text) {
        const char *next = strstr(text, "::");
        size_t part = next ? (size_t)(next - text) + 2 : strlen(text);

        if (line && line + part > LABEL_LINE) {
            *out++ = '\n';
            line = 0;
        }
        memcpy(out, text, part);
        out += part;
        text += part;
        line += part;
    }
    *out = '\0';
}

char *label_shorten(const char *name)
{
    size_t size = strlen(name);
    size_t place = size > LABEL_FULL_MAX ? place_size(name, size) : 0;
    char *function = strndup(name, size - place);
    char *short_name = malloc(size * 2 + 1);
    char *label;

    if (!short_name || !function) {
        free(short_name);
        free(function);
        return NULL;
    }
    if (size <= LABEL_FULL_MAX || !elide(function, short_name))
        strcpy(short_name, function);
    free(function);
    cut(short_name, LABEL_MAX - place);
    strcat(short_name, name + size - place);
    label = malloc(strlen(short_name) * 2 + 1);
    if (label)
        wrap(short_name, label);
    free(short_name);
    return label;
}

char *label_line(const char *raw)
{
    char *clean = text_clean(raw, TEXT_REPLACE_CONTROLS);
    char *label = clean ? label_shorten(clean) : NULL;
    char *to = label;

    free(clean);
    for (const char *from = label; from && *from; from++)
        if (*from != '\n')
            *to++ = *from;
    if (to)
        *to = '\0';
    return label;
}
