/* SPDX-License-Identifier: MIT */
/* What --split and --where are given: its parts, and whether a function or a value is meant. */
#ifndef GRAPH_SPLIT_TEXT_H
#define GRAPH_SPLIT_TEXT_H

#include <regex.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/status.h"
#include "variables/variables.h"

enum split_operator {
    SPLIT_NONE, /* of --split */
    SPLIT_EQUAL,
    SPLIT_UNEQUAL,
    SPLIT_LESS,
    SPLIT_LESS_EQUAL,
    SPLIT_GREATER,
    SPLIT_GREATER_EQUAL,
    SPLIT_MATCHES,
};

struct split_text {
    char *given, *function, *path, *value; /* owned; value: of --where */
    enum split_operator op;
    regex_t regex;
    bool has_regex;
    /* What `value` says, where it is a number: any, and an integer of no more than 64 bits. */
    bool has_real, has_number;
    bool is_negative; /* `number` stands for itself less 2^64 then */
    uint64_t number;
    double real;
};

/* BAD_DATA with `diag` filled, as for what <, <=, > or >= have no number for; NO_MEMORY. */
MUST_CHECK enum status split_text_parse(const char *text, bool is_condition, struct split_text *out,
                                        struct diag *diag);
void split_text_deinit(struct split_text *text);

/*
 * Is this function meant, by the name that is shown? What was given may lack the namespaces and
 * classes around it, arguments of it and its template, and of those around it, and what compilers
 * add to its clones: "Server::handle" is of "int ns::Server<int>::handle<char>(char) const".
 */
bool split_text_is_of(const struct split_text *text, const char *function);

/*
 * Does the condition hold for the value, which is known? Numbers are compared as such, if both are;
 * else what is told has to be equal, with quotes or without. An expression is looked for in what
 * quotes hold.
 */
bool split_text_holds(const struct split_text *text, const struct variable_value *value);

/*
 * Of a value as it is told, what is a label: of a reference what it refers to, of a pointer to a
 * string the string, of a character that can be printed the character, of a function's address its
 * name. A part of `told`.
 */
const char *split_label(const char *told);

#define SPLIT_RANGE_SIZE 48

/* The range between powers of two that holds the number: "64..127", "0", "-7..-4". In `text`. */
const char *split_range(uint64_t number, bool is_signed, char text[SPLIT_RANGE_SIZE]);

#endif
