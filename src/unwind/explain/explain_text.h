/* SPDX-License-Identifier: MIT */
/* Values, states and operations as text. Private to explain*. */
#ifndef UNWIND_EXPLAIN_EXPLAIN_TEXT_H
#define UNWIND_EXPLAIN_EXPLAIN_TEXT_H

#include <stdio.h>

#include "unwind/prologue/prologue_explain.h"

#define EXPLAIN_COLUMNS 100
#define EXPLAIN_INDENT  14 /* of what is said of an instruction */

/* A line of items with a blank between, which goes on in the next one where it is too long. */
struct item_line {
    FILE *out;
    unsigned column; /* 0: nothing is written yet */
    const char *title;
};

struct item_line item_line_begin(FILE *out, const char *title);
void item_line_put(struct item_line *line, const char *format, ...) PRINTF_LIKE(2, 3);
void item_line_end(struct item_line *line);

#define VALUE_TEXT_MAX 96

/* "c-16", "rbx@entry", "ra", "0x1000", "?"; see the man page. Returns `buffer`. */
const char *value_format(const struct value *value, const struct arch *arch,
                         char buffer[VALUE_TEXT_MAX]);

/* Can a row be made of the value, wherever it is? */
bool value_tells(const struct value *value, const struct arch *arch);

/* Puts what rows can be made of; `all`: and everything else that is known. */
void state_put(struct item_line *line, const struct state *state, const struct arch *arch,
               bool all);

/* Puts what is otherwise in `after`: what went with "gone". */
void state_put_changes(struct item_line *line, const struct state *before,
                       const struct state *after, const struct arch *arch, bool all);

void op_put(struct item_line *line, const struct op *op, const struct arch *arch);

#endif
