/* SPDX-License-Identifier: MIT */
/* What --split and --where are given: its parts, and whether a function or a value is meant. */
#ifndef GRAPH_SPLIT_TEXT_H
#define GRAPH_SPLIT_TEXT_H

#include <regex.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

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
    bool has_regex, has_number;
    bool is_negative; /* of `number`, whose value it is then */
    uint64_t number;  /* what `value` says */
};

/* BAD_DATA with `diag` filled; NO_MEMORY. */
MUST_CHECK enum status split_text_parse(const char *text, bool is_condition, struct split_text *out,
                                        struct diag *diag);
void split_text_deinit(struct split_text *text);

/* Is this function meant, by the name that is shown? */
bool split_text_is_of(const struct split_text *text, const char *function);

/* Does the condition hold for the value, which is known? */
bool split_text_holds(const struct split_text *text, const struct variable_value *value);

/*
 * Of a value as it is told, what is a label: of a pointer to a string the string, of a character
 * the character, of a function's address its name. A part of `told`.
 */
const char *split_label(const char *told);

/* The range between powers of two that holds the number: "64..127", "0", "-7..-4". */
void split_range(uint64_t number, bool is_signed, FILE *file);

#endif
