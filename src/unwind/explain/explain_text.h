/* SPDX-License-Identifier: MIT */
/* Values, states and operations as text. Private to explain*. */
#ifndef UNWIND_EXPLAIN_EXPLAIN_TEXT_H
#define UNWIND_EXPLAIN_EXPLAIN_TEXT_H

#include <stdio.h>

#include "unwind/prologue/prologue_explain.h"

#define EXPLAIN_COLUMNS 100
#define EXPLAIN_INDENT  14 /* of the lines below an instruction */

/* Items with blanks between, broken into lines of EXPLAIN_COLUMNS; none: no line is written. */
struct item_line {
    FILE *out;
    unsigned column; /* 0: nothing is written yet */
    const char *title;
};

struct item_line item_line_begin(FILE *out, const char *title);
void item_line_put(struct item_line *line, const char *format, ...) PRINTF_LIKE(2, 3);
void item_line_end(struct item_line *line);

#define VALUE_TEXT_MAX 96

/* Formats "c-16", "rbx@entry", "ra", "0x1000", "?"; see the man page. Returns `buffer`. */
const char *value_format(const struct value *value, const struct arch *arch,
                         char buffer[VALUE_TEXT_MAX]);

/* Can a rule of a row be made of the value, wherever it is? */
bool value_tells(const struct value *value, const struct arch *arch);

/* Puts the registers and slots that rows can be made of; `all`: all that are known. */
void state_put(struct item_line *line, const struct state *state, const struct arch *arch,
               bool all);

/* Puts the registers and slots that differ in `after`; slots that it lacks as "gone". */
void state_put_changes(struct item_line *line, const struct state *before,
                       const struct state *after, const struct arch *arch, bool all);

void op_put(struct item_line *line, const struct op *op, const struct arch *arch);

#endif
