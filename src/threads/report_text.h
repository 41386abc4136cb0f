/* SPDX-License-Identifier: MIT */
/* Fills paragraphs of text to a width, for reports about threads. */
#ifndef THREADS_REPORT_TEXT_H
#define THREADS_REPORT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/status.h"

#define REPORT_TEXT_COLUMNS 100

/* Returns the column at which lines are broken; `terminal`: its columns, 0: none. */
static inline size_t report_text_columns(size_t terminal)
{
    return terminal && terminal < REPORT_TEXT_COLUMNS ? terminal : REPORT_TEXT_COLUMNS;
}

struct report_text { /* set the first two (`out` is borrowed), zero the rest */
    FILE *out;
    size_t columns; /* of the terminal; 0: none */
    size_t indent;  /* of all lines of a paragraph but the first */
    size_t column;  /* of the next character; 0: the first one */
    bool begun;     /* the paragraph has words */
};

/* Returns the columns that UTF-8 text takes: one for each byte that continues no character. */
size_t report_text_width(const char *text);

/* Begins a paragraph: its first line is indented by `first`, the others by `indent`. */
void report_text_begin(struct report_text *text, size_t first, size_t indent);

/*
 * Puts `gap` (", ", " ← ") and `words`, which stay on one line. Where a line has to be broken, a
 * comma ends it, and an arrow begins the next one. A paragraph's first words have no gap.
 */
void report_text_put(struct report_text *text, const char *gap, const char *words);

/* Ends the line and the paragraph. */
void report_text_end(struct report_text *text);

#endif
