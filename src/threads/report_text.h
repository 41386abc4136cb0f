/* SPDX-License-Identifier: MIT */
/* Fills paragraphs of text to a width, for reports about threads. */
#ifndef THREADS_REPORT_TEXT_H
#define THREADS_REPORT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/status.h"

#define REPORT_TEXT_COLUMNS 100

/*
 * Returns the column at which lines are broken: the terminal's, at most 100. `terminal`: its width
 * in columns; 0: there is none.
 */
static inline size_t report_text_columns(size_t terminal)
{
    return terminal && terminal < REPORT_TEXT_COLUMNS ? terminal : REPORT_TEXT_COLUMNS;
}

struct report_text { /* the caller sets the first two (`out` is borrowed) and zeroes the rest */
    FILE *out;
    size_t columns; /* width of the terminal in columns; 0: there is no terminal */
    size_t indent;  /* spaces before each line of a paragraph but the first */
    size_t column;  /* column of the next character, from 0 on */
    bool begun;     /* the paragraph has words already */
};

/* Returns the columns that UTF-8 text takes, where each character takes one. */
size_t report_text_width(const char *text);

/* Begins a paragraph: its first line is indented by `first` spaces, the others by `indent`. */
void report_text_begin(struct report_text *text, size_t first, size_t indent);

/*
 * Writes `gap` (", " or " ← ") and `words`, which are never broken. If they do not fit into the
 * line, a new one begins in the gap: a comma stays at the end of the old line, an arrow begins the
 * new one. Before a paragraph's first words no gap is written.
 */
void report_text_put(struct report_text *text, const char *gap, const char *words);

/* Ends the paragraph with a newline. */
void report_text_end(struct report_text *text);

#endif
