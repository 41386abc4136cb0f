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

struct depth { /* of brackets; between parentheses '<' may be an operator, and is not counted */
    size_t angles, parens;
};

static bool is_outside(const struct depth *depth)
{
    return depth->angles == 0 && depth->parens == 0;
}

/*
 * Returns the length of an operator at `c` that looks like a bracket; 0: none. Arguments of
 * templates have such operators: `std::enable_if<(sizeof (int))<=(8), void>::type`.
 */
static size_t operator_at(const char *start, const char *c)
{
    static const char call[] = "operator()";
    const size_t length = sizeof(call) - 1;
    bool behind_operand = c > start && (c[-1] == ')' || c[-1] == '}') &&
                          !((size_t)(c - start) >= length && begins(c - length, call));

    if (begins(c, "->") || begins(c, ">=") || begins(c, "<="))
        return 2;
    if (*c != '<' || !behind_operand)
        return 0;
    return strspn(c, "<");
}

/* Counts a bracket at `c`, and returns what is behind it or the operator there. */
static const char *step(struct depth *depth, const char *start, const char *c)
{
    size_t length = depth->parens ? 0 : operator_at(start, c);

    if (length)
        return c + length;
    if (*c == '(')
        depth->parens++;
    else if (*c == ')' && depth->parens > 0)
        depth->parens--;
    else if (*c == '<' && depth->parens == 0)
        depth->angles++;
    else if (*c == '>' && depth->parens == 0 && depth->angles > 0)
        depth->angles--;
    return c + 1;
}

static bool begins_arguments(const char *c)
{
    return *c == '(' && !begins(c, "(anonymous namespace)");
}

/* The name begins behind the last space outside of brackets, before the arguments or "operator",
 * whose name may be a bracket. */
const char *language_name_begin(const char *name)
{
    const char *begin = name;
    struct depth depth = {0};

    for (const char *c = name; *c; c = step(&depth, name, c)) {
        if (!is_outside(&depth))
            continue;
        if (begins(c, OPERATOR) || begins_arguments(c))
            return begin;
        if (*c == ' ')
            begin = c + 1;
    }
    return begin;
}

bool language_name_has_arguments(const char *name)
{
    struct depth depth = {0};

    for (const char *c = name; *c; c = step(&depth, name, c))
        if (is_outside(&depth) && (begins(c, OPERATOR) || begins_arguments(c)))
            return true;
    return false;
}

/* Returns the bracket that closes the one at `open`, or the end of the text. */
static const char *closing(const char *open)
{
    struct depth depth = {0};

    for (const char *c = open, *next; *c; c = next) {
        next = step(&depth, open, c);
        if (is_outside(&depth))
            return c;
    }
    return open + strlen(open);
}

/* Sets *end to the end of T in Rust's `<T as Trait>::f` or `<T>::f`, and returns "::f". */
static const char *find_self(const char *name, const char **end)
{
    const char *close = closing(name), *as = name + 1;

    while (as < close && !begins(as, " as "))
        as = *as == '<' || *as == '(' ? closing(as) + (*closing(as) != '\0') : as + 1;
    *end = as < close ? as : close;
    return *close ? close + 1 : close;
}

const char *language_name_trait(const char *name)
{
    const char *end;

    if (*name != '<')
        return NULL;
    find_self(name, &end);
    return begins(end, " as ") ? end + strlen(" as ") : NULL;
}

/* Returns the length of "operator()", "operator<<", "operator new", without arguments. */
static size_t operator_length(const char *name)
{
    size_t length = strlen(OPERATOR);

    if (begins(name + length, "()"))
        return length + 2;
    return length + strcspn(name + length, "(");
}

/* Copies a part of the name between two "::". True: the name ends. */
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

/* In Rust's std, sys and sys_common have functions that no program can call. */
static bool is_internal(const char *part)
{
    return *part == '_' || begins(part, "sys::") || begins(part, "sys_common::");
}

/* Copies the parts of a name, returns the end of the copy. Sets *internal if a part is internal. */
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
            *to++ = ':';
            *to++ = ':';
            *to = '\0';
            *internal |= is_internal(part);
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
