/* SPDX-License-Identifier: MIT */
/*
 * A line on a terminal that is rewritten in place. Safe in signal handlers: no printf, only
 * write(2) and other system calls.
 */
#ifndef TOOLS_PROGRESS_LINE_H
#define TOOLS_PROGRESS_LINE_H

#include <stddef.h>
#include <stdint.h>

#define PROGRESS_LINE_MAX 79 /* columns: a line that wraps cannot be erased */

struct progress_line { /* all zero to begin with */
    char text[PROGRESS_LINE_MAX];
    size_t length;
    size_t shown; /* columns that are on the terminal, of the line shown last */
};

/* Append ASCII text, or a decimal number, to the line; the rest is left out if it does not fit. */
void progress_line_text(struct progress_line *line, const char *text);
void progress_line_number(struct progress_line *line, uint64_t number);

/*
 * Replaces what is shown by the line, with one write(2), and empties the line. It is cut to the
 * terminal's width. If it ends with '\n' it stays on the terminal and is not cut. Shows nothing if
 * a non-blocking descriptor does not take it, or while another job has the terminal.
 */
void progress_line_show(struct progress_line *line, int fd);
/* Erases what is shown, and empties the line. As above where that is not possible. */
void progress_line_erase(struct progress_line *line, int fd);

#endif
