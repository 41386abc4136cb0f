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

enum split_operator {
    SPLIT_NONE, /* no operator: --split */
    SPLIT_EQUAL,
    SPLIT_UNEQUAL,
    SPLIT_LESS,
    SPLIT_LESS_EQUAL,
    SPLIT_GREATER,
    SPLIT_GREATER_EQUAL,
    SPLIT_MATCHES,
};

struct split_text {
    char *given, *function, *path, *value; /* owned; value: only of --where */
    enum split_operator op;
    regex_t regex;
    bool has_regex;
    /* `value` as a number: has_real for any, has_number for an integer of at most 64 bits. */
    bool has_real, has_number;
    bool is_negative; /* `value` is number - 2^64 */
    uint64_t number;
    double real;
};

/*
 * Parses "FUNCTION:PATH" or, with `is_condition`, "FUNCTION:PATH OP VALUE". BAD_DATA with `diag`
 * filled, also if <, <=, > or >= have no number; NO_MEMORY. On failure *out is empty.
 */
MUST_CHECK enum status split_text_parse(const char *text, bool is_condition, struct split_text *out,
                                        struct diag *diag);
void split_text_deinit(struct split_text *text);

/*
 * Returns whether `function`, a name as shown, is the one given. The given name may lack enclosing
 * namespaces and classes, arguments and template arguments at any level, and suffixes of clones:
 * "Server::handle" matches "int ns::Server<int>::handle<char>(char) const".
 */
bool split_text_is_of(const struct split_text *text, const char *function);

/*
 * Returns whether the condition holds for a known value. Two numbers are compared as numbers;
 * otherwise the label has to be equal, with or without quotes, and is neither less nor more. A
 * regular expression is searched for in the label without its quotes.
 */
bool split_text_holds(const struct split_text *text, const struct variable_value *value);

/*
 * Returns the part of `told`, a value's text, that serves as a label: the referent of a reference,
 * the string of a pointer to one, a printable character, the name of a function's address; else
 * all.
 */
const char *split_label(const char *told);

#define SPLIT_RANGE_SIZE 48

/* Writes to `text`, and returns, the number's range between powers of two: "64..127", "-7..-4". */
const char *split_range(uint64_t number, bool is_signed, char text[SPLIT_RANGE_SIZE]);

#endif
