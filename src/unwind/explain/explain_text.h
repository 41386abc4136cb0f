/* SPDX-License-Identifier: MIT */
/* Writes values, states and operations as text. Private to explain*. */
#ifndef UNWIND_EXPLAIN_EXPLAIN_TEXT_H
#define UNWIND_EXPLAIN_EXPLAIN_TEXT_H

#include <stdio.h>

#include "unwind/prologue/prologue_explain.h"

#define EXPLAIN_COLUMNS 100
#define EXPLAIN_INDENT  14 /* blanks before the lines below an instruction */

/*
 * A line of items with blanks between, broken at EXPLAIN_COLUMNS. It begins with `title`
 * (borrowed); without items nothing is written.
 */
struct item_line {
    FILE *out;
    unsigned column; /* column at which the next text goes; 0: nothing is written yet */
    const char *title;
};

struct item_line item_line_begin(FILE *out, const char *title);
void item_line_put(struct item_line *line, const char *format, ...) PRINTF_LIKE(2, 3);
void item_line_end(struct item_line *line);

#define VALUE_TEXT_MAX 96

/*
 * Formats a value as docs/man/cgrules.1 says: "c-16", "rbx@entry", "ra", "0x1000", "?". Returns
 * `buffer`.
 */
const char *value_format(const struct value *value, const struct arch *arch,
                         char buffer[VALUE_TEXT_MAX]);

/* Whether a rule of a row can be made of the value, whatever register or slot has it. */
bool value_tells(const struct value *value, const struct arch *arch);

/*
 * Adds to the line the registers and slots of `state` that rows can be made of; `all`: all that are
 * known.
 */
void state_put(struct item_line *line, const struct state *state, const struct arch *arch,
               bool all);

/*
 * Adds to the line the registers and slots that differ in `after` from `before`, with their values
 * in `after`; slots that only `before` has as "gone". `all`: as for state_put.
 */
void state_put_changes(struct item_line *line, const struct state *before,
                       const struct state *after, const struct arch *arch, bool all);

void op_put(struct item_line *line, const struct op *op, const struct arch *arch);

#endif
