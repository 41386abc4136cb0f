/* SPDX-License-Identifier: MIT */
/* Paragraphs of text that are filled to a width: for reports about threads. */
#ifndef THREADS_REPORT_TEXT_H
#define THREADS_REPORT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/status.h"

#define REPORT_TEXT_COLUMNS 100

/* Where lines are broken: there, or where the terminal ends (0: there is none). */
static inline size_t report_text_columns(size_t terminal)
{
    return terminal && terminal < REPORT_TEXT_COLUMNS ? terminal : REPORT_TEXT_COLUMNS;
}

struct report_text { /* set the first two (`out` is borrowed), zero the rest */
    FILE *out;
    size_t columns; /* of the terminal, as above */
    size_t indent;  /* of the lines that follow the first of a paragraph */
    size_t column;
    bool begun;
};

/* In columns of a terminal, as far as bytes tell: continuation bytes of UTF-8 take none. */
size_t report_text_width(const char *text);

/* A new paragraph: `first` columns before its first line, `indent` before the others. */
void report_text_begin(struct report_text *text, size_t first, size_t indent);

/* Adds words that stay together, after `gap`: ", ", or " ← ", which begins a new line. */
void report_text_put(struct report_text *text, const char *gap, const char *words);

/* Ends the line. */
void report_text_end(struct report_text *text);

#endif
