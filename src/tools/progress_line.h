/* SPDX-License-Identifier: MIT */
/*
 * A line on a terminal that is renewed where it stands, and erased. Made without printf, so that a
 * signal handler may: nothing here but write(2).
 */
#ifndef TOOLS_PROGRESS_LINE_H
#define TOOLS_PROGRESS_LINE_H

#include <stddef.h>
#include <stdint.h>

#define PROGRESS_LINE_MAX 79 /* columns: one that is broken cannot be erased */

struct progress_line { /* zero it */
    char text[PROGRESS_LINE_MAX];
    size_t length;
    size_t shown; /* columns that the terminal has of it, or of the one before */
};

/* What does not fit is left out. ASCII. */
void progress_line_text(struct progress_line *line, const char *text);
void progress_line_number(struct progress_line *line, uint64_t number);

/*
 * In place of what is shown, by one write; the line is empty then. It is cut to the terminal's
 * width, unless it ends with a new line: then it stays. What a descriptor that does not block
 * refuses is not shown, nor is anything while another job has the terminal.
 */
void progress_line_show(struct progress_line *line, int fd);
void progress_line_erase(struct progress_line *line, int fd);

#endif
