/* SPDX-License-Identifier: MIT */
/* Parses the arguments of --split and --where, and decides whether a function or value matches. */
#ifndef GRAPH_SPLIT_TEXT_H
#define GRAPH_SPLIT_TEXT_H

#include <regex.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/status.h"
#include "variables/variables.h"

/* Operators of --where; SPLIT_NONE: an argument of --split, which has none. MATCHES: =~ */
enum split_operator {
    SPLIT_NONE,
    SPLIT_EQUAL,
    SPLIT_UNEQUAL,
    SPLIT_LESS,
    SPLIT_LESS_EQUAL,
    SPLIT_GREATER,
    SPLIT_GREATER_EQUAL,
    SPLIT_MATCHES,
};

struct split_text {
    /* Owned: the whole argument, and its parts; value: NULL for --split. */
    char *given, *function, *path, *value;
    enum split_operator op;
    regex_t regex;  /* `value` compiled; set if has_regex */
    bool has_regex; /* op is SPLIT_MATCHES; else `regex` is not set */
    /* has_real: `value` is a number, `real`. has_number: an integer of 64 bits, `number`, too. */
    bool has_real, has_number;
    bool is_negative; /* `value` is number - 2^64 */
    uint64_t number;
    double real;
};

/*
 * Parses "FUNCTION:PATH" or, with `is_condition`, "FUNCTION:PATH OP VALUE". BAD_DATA with `diag`
 * filled, also if VALUE after <, <=, > or >= is no number; NO_MEMORY. On failure *out is empty.
 */
MUST_CHECK enum status split_text_parse(const char *text, bool is_condition, struct split_text *out,
                                        struct diag *diag);
void split_text_deinit(struct split_text *text);

/*
 * Returns whether `function`, a name as shown, is text->function, which may lack enclosing
 * namespaces and classes, arguments and template arguments at any level, and suffixes of clones:
 * "Server::handle" matches "int ns::Server<int>::handle<char>(char) const".
 */
bool split_text_is_of(const struct split_text *text, const char *function);

/*
 * Returns whether the condition holds for a known value. Two numbers are compared as numbers.
 * Otherwise the value's label (split_label), with or without quotes, is equal to the condition's or
 * not, and never less or more. A regular expression is searched for in the label without quotes.
 */
bool split_text_holds(const struct split_text *text, const struct variable_value *value);

/*
 * Returns a pointer into `told`, a value's text, to the end of it that serves as a label: the value
 * that a reference refers to, the string that a pointer points to, a printable character, the
 * function's name behind its address; else all of `told`.
 */
const char *split_label(const char *told);

#define SPLIT_RANGE_SIZE 48

/* Writes to `text`, and returns, the range between powers of two with the number: "64..127". */
const char *split_range(uint64_t number, bool is_signed, char text[SPLIT_RANGE_SIZE]);

#endif
