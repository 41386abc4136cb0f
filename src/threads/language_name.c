/* SPDX-License-Identifier: MIT */
#include "threads/language_name.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char OPERATOR[] = "operator";

static bool begins(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* The '>' of a "->" is none that closes a bracket. */
static bool closes(const char *name, const char *c)
{
    return *c == ')' || (*c == '>' && (c == name || c[-1] != '-'));
}

/* Behind the last space outside of brackets, before the arguments. Operators' names, which may be
 * brackets, end the search. */
const char *language_name_begin(const char *name)
{
    const char *begin = name;
    size_t depth = 0;

    for (const char *c = name; *c; c++) {
        if (depth == 0 && begins(c, OPERATOR))
            return begin;
        if (depth == 0 && *c == '(' && !begins(c, "(anonymous namespace)"))
            return begin;
        if (*c == '<' || *c == '(')
            depth++;
        else if (closes(name, c) && depth > 0)
            depth--;
        else if (*c == ' ' && depth == 0)
            begin = c + 1;
    }
    return begin;
}

/* The bracket that closes the one at `open`, or the end of the text. */
static const char *closing(const char *open)
{
    size_t depth = 0;
    const char *c = open;

    for (; *c; c++) {
        if (*c == '<' || *c == '(')
            depth++;
        else if (closes(open, c))
            depth--;
        if (depth == 0)
            return c;
    }
    return c;
}

/* Rust's `<T as Trait>::f` is T::f, and so is `<T>::f`: says where T ends, and the rest begins. */
static const char *find_self(const char *name, const char **end)
{
    const char *close = closing(name), *as = name + 1;

    while (as < close && !begins(as, " as "))
        as = *as == '<' || *as == '(' ? closing(as) + (*closing(as) != '\0') : as + 1;
    *end = as < close ? as : close;
    return *close ? close + 1 : close;
}

/* Up to the arguments: "operator()", "operator<<", "operator new". */
static size_t operator_length(const char *name)
{
    size_t length = strlen(OPERATOR);

    if (begins(name + length, "()"))
        return length + 2;
    return length + strcspn(name + length, "(");
}

/* A part of the name between two "::". True: the name is over. */
static bool copy_part(const char **from, const char *end, char **to)
{
    const char *c = *from;

    while (c < end && *c && !begins(c, "::")) {
        if (strchr("({[ ", *c))
            return true;
        if (*c == '<') {
            c = closing(c);
            c += *c != '\0';
        } else {
            *(*to)++ = *c++;
        }
    }
    *from = c;
    return c >= end || !*c;
}

static bool is_version(const char *part, size_t length)
{
    static const char *const versions[] = {"__1", "__cxx11", "__ndk1", "_V2", "__fs"};

    for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++)
        if (strlen(versions[i]) == length && begins(part, versions[i]))
            return true;
    return length == 0;
}

/* Copies the parts of a name, and says where the next one goes. *internal: one of them is so. */
static char *copy_parts(const char *from, const char *end, char *to, bool *internal)
{
    bool over = false;

    while (!over && from < end) {
        char *part = to;

        if (begins(from, OPERATOR)) {
            size_t length = operator_length(from);

            memcpy(to, from, length);
            to += length;
            break;
        }
        over = copy_part(&from, end, &to);
        if (is_version(part, (size_t)(to - part))) {
            to = part;
        } else {
            *internal |= *part == '_';
            *to++ = ':';
            *to++ = ':';
        }
        from += over ? 0 : 2;
    }
    return to;
}

char *language_public_name(const char *name)
{
    const char *from = language_name_begin(name), *end = from + strlen(from), *self_end;
    char *out = calloc(1, 2 * strlen(from) + 5), *to = out;
    bool internal = false;

    if (!out)
        return NULL;
    if (*from == '<') {
        const char *rest = find_self(from, &self_end);

        to = copy_parts(from + 1, self_end, to, &internal);
        from = begins(rest, "::") ? rest + 2 : rest;
    }
    to = copy_parts(from, end, to, &internal);
    if (to - out >= 2 && to[-1] == ':' && to[-2] == ':')
        to -= 2;
    *(internal ? out : to) = '\0';
    return out;
}
