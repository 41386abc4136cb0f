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
 * Copies `name` with contents of brackets replaced by "..". False: the brackets do not balance
 * (operator<<, a -> in a type), and `out` is not usable.
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

/* Returns the size of a place " (x.c:12)" at the end of `name`; 0: there is none, or a long one. */
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

/* Returns the largest size, at most `size`, that does not end within a character. */
static size_t whole_characters(const char *text, size_t size)
{
    while (size > 0 && ((unsigned char)text[size] & 0xc0) == 0x80)
        size--;
    return size;
}

/* Cuts to at most `max` bytes, between two characters. */
static void cut(char *text, size_t max)
{
    if (strlen(text) <= max)
        return;
    memcpy(text + whole_characters(text, max - 3), "...", sizeof("..."));
}

/* Returns where to break in the second half of the line: behind the last of `signs`; 0: none. */
static size_t sign_end(const char *text, const char *signs)
{
    for (size_t i = LABEL_LINE; i > LABEL_LINE / 2; i--)
        if (strchr(signs, text[i - 1]))
            return i;
    return 0;
}

/* The same between words as in "aName". */
static size_t word_end(const char *text)
{
    for (size_t i = LABEL_LINE; i > LABEL_LINE / 2; i--)
        if (text[i - 1] >= 'a' && text[i - 1] <= 'z' && text[i] >= 'A' && text[i] <= 'Z')
            return i;
    return 0;
}

/*
 * Returns the size of the part that stays on one line: up to behind "::". A part that is too long
 * is broken between words, else anywhere.
 */
static size_t part_length(const char *text)
{
    const char *next = strstr(text, "::");
    size_t part = next ? (size_t)(next - text) + 2 : strlen(text);
    size_t end;

    if (part <= LABEL_FULL_MAX)
        return part;
    end = sign_end(text, " ");
    if (!end)
        end = sign_end(text, "_-.+/,");
    if (!end)
        end = word_end(text);
    return end ? end : whole_characters(text, LABEL_LINE);
}

static void wrap(const char *text, char *out)
{
    size_t line = 0;

    while (*text) {
        size_t part = part_length(text);

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

char *label_cut(const char *name)
{
    char *label = label_line(name);
    size_t size = label ? strlen(label) : 0;
    size_t begin, end;

    if (size <= LABEL_FULL_MAX)
        return label;
    begin = whole_characters(label, LABEL_FULL_MAX / 2 + 3);
    for (end = size - (LABEL_FULL_MAX - LABEL_FULL_MAX / 2 - 6);
         ((unsigned char)label[end] & 0xc0) == 0x80;)
        end++;
    memcpy(label + begin, "...", 3);
    memmove(label + begin + 3, label + end, size - end + 1);
    return label;
}
