/* SPDX-License-Identifier: MIT */
/*
 * Writes a line on a terminal that is rewritten in place. All functions are safe in signal
 * handlers: no printf, only write(2) and other system calls.
 */
#ifndef TOOLS_PROGRESS_LINE_H
#define TOOLS_PROGRESS_LINE_H

#include <stddef.h>
#include <stdint.h>

/* columns; longer lines are cut, as a line that wraps cannot be erased */
#define PROGRESS_LINE_MAX 79

struct progress_line { /* the caller zeroes it at first */
    char text[PROGRESS_LINE_MAX];
    size_t length;
    size_t shown; /* columns of the line shown last that are still on the terminal */
};

/* Append ASCII text, or a decimal number, to line->text; what does not fit is left out. */
void progress_line_text(struct progress_line *line, const char *text);
void progress_line_number(struct progress_line *line, uint64_t number);

/*
 * Replaces what is shown on the terminal `fd` by line->text, cut to the terminal's width, with one
 * write(2); then empties line->text. A line that ends with '\n' is not cut, and stays on the
 * terminal. Shows nothing while another job has the terminal, or if a non-blocking `fd` does not
 * take it.
 */
void progress_line_show(struct progress_line *line, int fd);
/*
 * Erases what is shown on the terminal `fd`, and empties line->text. Erases nothing while another
 * job has the terminal, or if a non-blocking `fd` does not take it.
 */
void progress_line_erase(struct progress_line *line, int fd);

#endif
