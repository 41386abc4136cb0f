/* SPDX-License-Identifier: MIT */
#include "graph/function_given.h"

#include <stddef.h>
#include <string.h>

#include "symbol/clone_suffix.h"

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Behind the brackets that begin there, and all that is in them; NULL: they are not closed. */
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

/* Behind a function's arguments: what says more of it. */
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

/* Behind the word "operator", the operator that is meant: "()", "<<", " new", " std::string". */
static const char *behind_operator(const char *at)
{
    if (begins(at, "()") || begins(at, "[]"))
        return at + 2;
    if (*at == ' ')
        return at + strcspn(at, "(");
    return at + strspn(at, "<>=+-*/%^&|~!,");
}

/* Is it the word, and no longer one? */
static bool is_operator(const char *at)
{
    return begins(at, "operator") && at[8] && strchr("<>=+-*/%^&|~!,([ ", at[8]);
}

/* Behind an argument list, if the name goes on there; else NULL. */
static const char *go_on_behind(const char *open)
{
    const char *behind = behind_brackets(open);

    if (behind)
        behind = behind_qualifiers(behind);
    return behind && begins(behind, "::") ? behind : NULL;
}

/* Where the next part of a name begins, behind "::" or a type; NULL: there is none. */
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

/* Does the name end here, but for arguments and what follows them? */
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

/* Is what begins at `at`, of the function, the given name? */
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
