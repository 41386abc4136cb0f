/* SPDX-License-Identifier: MIT */
#include "graph/function_given.h"

#include <stddef.h>
#include <string.h>

#include "symbol/clone_suffix.h"

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Returns the place behind the matching closing bracket; NULL: not closed. */
static const char *behind_brackets(const char *open)
{
    size_t round = 0, angle = 0;

    for (const char *at = open; *at; at++) {
        if (*at == '(' || *at == '{')
            round++;
        else if (*at == ')' || *at == '}')
            round -= round > 0;
        else if (*at == '<' && round == 0)
            angle++;
        else if (*at == '>' && round == 0 && angle > 0 && at[-1] != '-')
            angle--;
        if (round == 0 && angle == 0)
            return at + 1;
    }
    return NULL;
}

/* Skips qualifiers behind a function's arguments. */
static const char *behind_qualifiers(const char *at)
{
    static const char *const list[] = {" const", " volatile", " &&", " &", " noexcept"};

    for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
        if (begins(at, list[i])) {
            at += strlen(list[i]);
            i = (size_t)-1;
        }
    return at;
}

/* Skips the operator behind the word "operator": "()", "<<", " new", " std::string". */
static const char *behind_operator(const char *at)
{
    if (begins(at, "()") || begins(at, "[]"))
        return at + 2;
    if (*at == ' ')
        return at + strcspn(at, "(");
    return at + strspn(at, "<>=+-*/%^&|~!,");
}

/* Returns whether the word "operator" begins at `at`, and no longer word. */
static bool is_operator(const char *at)
{
    return begins(at, "operator") && at[8] && strchr("<>=+-*/%^&|~!,([ ", at[8]);
}

/* Returns the place behind an argument list, if the name goes on there; else NULL. */
static const char *go_on_behind(const char *open)
{
    const char *behind = behind_brackets(open);

    if (behind)
        behind = behind_qualifiers(behind);
    return behind && begins(behind, "::") ? behind : NULL;
}

/* Returns the next part of a name, behind "::" or a type; NULL: none. */
static const char *next_part(const char *at)
{
    if (*at == '(') /* "(anonymous namespace)", or of "decltype (x)" */
        at = behind_brackets(at);
    else if (is_operator(at))
        at = behind_operator(at + 8);
    while (at && *at) {
        const char *behind;

        switch (*at) {
        case '<':
        case '{':
            behind = behind_brackets(at);
            at = behind ? behind : at + 1;
            break;
        case '(':
            at = go_on_behind(at);
            break;
        case ' ':
            return at + 1;
        case ':':
            if (at[1] == ':')
                return at + 2;
            at++;
            break;
        default:
            at++;
        }
    }
    return NULL;
}

/* Returns whether the name ends at `at`, except for arguments and what follows them. */
static bool ends(const char *function, const char *at)
{
    const char *behind;

    if (at - function >= 8 && is_operator(at - 8) && (at - function == 8 || strchr(": ", at[-9])))
        return false;
    if (*at == '[' && strchr(at, ']')) /* "f[abi:cxx11]" */
        at = strchr(at, ']') + 1;
    at += begins(at, "::<") ? 2 : begins(at, " <"); /* of Rust, of "operator< <int>" */
    if (*at == '<')
        at = behind_brackets(at);
    if (!at)
        return false;
    if (*at == '(') {
        behind = behind_brackets(at);
        return !behind || !begins(behind_qualifiers(behind), "::");
    }
    return !*at || begins(at, " [clone ") ||
           clone_suffix_strip(function) == (size_t)(at - function);
}

/* Returns whether the part of the function's name at `at` is the given name. */
static bool is_name(const char *function, const char *at, const char *given)
{
    while (*given) {
        if (*at == *given) {
            at++;
            given++;
        } else if ((*at == '<' || *at == '(') && begins(given, "::")) {
            at = behind_brackets(at);
            if (!at)
                return false;
        } else {
            return false;
        }
    }
    return ends(function, at);
}

bool function_is_given(const char *function, const char *given)
{
    for (const char *at = function; at; at = next_part(at))
        if (is_name(function, at, given))
            return true;
    return false;
}
