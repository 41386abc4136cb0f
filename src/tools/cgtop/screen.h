/* SPDX-License-Identifier: MIT */
/*
 * Draws on the terminal; no other file uses ncurses.
 *
 * Texts may come from hostile files and threads. Only characters of one or two columns reach the
 * terminal: control characters and bytes that are no UTF-8 become '?'; characters without width
 * (marks, changes of direction) are left out.
 */
#ifndef TOOLS_CGTOP_SCREEN_H
#define TOOLS_CGTOP_SCREEN_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/status.h"

enum screen_style {
    STYLE_PLAIN,
    STYLE_BOLD,
    STYLE_DIM,
    STYLE_HEAD,   /* heads of columns */
    STYLE_CURSOR, /* the chosen row */
    STYLE_KEY,    /* the name of a key in the last line */
    STYLE_LABEL,  /* the text beside it that says what the key does */
    STYLE_GOOD,
    STYLE_WARN,
    STYLE_BAD,
    STYLE_NAME,
};
#define SCREEN_STYLES 11

/* Keys that are no characters. Other keys are code points. */
enum screen_key {
    SCREEN_NO_KEY = -1, /* no key has been pressed */
    SCREEN_UP = 0x110000,
    SCREEN_DOWN,
    SCREEN_LEFT,
    SCREEN_RIGHT,
    SCREEN_PAGE_UP,
    SCREEN_PAGE_DOWN,
    SCREEN_HOME,
    SCREEN_END,
    SCREEN_ENTER,
    SCREEN_ESCAPE,
    SCREEN_ERASE,
    SCREEN_RESIZED,
    SCREEN_OTHER,
    SCREEN_F1, /* F2 and so on follow */
};

/*
 * Takes over the terminal that standard input and output are. IO: one of them is no terminal, or
 * ncurses does not know its kind; `diag` says so.
 */
MUST_CHECK enum status screen_open(struct diag *diag);
/*
 * Restores the terminal, unless another job has it by now. Does nothing if screen_open has not
 * succeeded.
 */
void screen_close(void);

/*
 * screen_suspend: restores the terminal and stops this process (SIGTSTP), with the signal mask
 * `mask` meanwhile; returns when the process is continued. screen_resume: takes the terminal over
 * again and redraws; call it after screen_suspend and after any other stop. In a background job it
 * waits until the job is in the foreground.
 */
void screen_suspend(const sigset_t *mask);
void screen_resume(void);

/*
 * Discards output that the terminal has not taken (no reader), and ends a stop by Ctrl-S, so that
 * the next write does not block. Does neither if another job has the terminal. Ignores SIGTTOU from
 * then on. Safe in signal handlers.
 */
void screen_hurry(void);

void screen_size(int *lines, int *columns);

/*
 * screen_begin: clears the picture. screen_show: brings what was drawn since screen_begin to the
 * terminal.
 */
void screen_begin(void);
void screen_show(void);

/*
 * Fills `width` columns from line, column (from 0) on with blanks of a style; `width` < 0: up to
 * the line's end.
 */
void screen_fill(int line, int column, int width, enum screen_style style);

/*
 * Draws `text` from line, column (from 0) on in at most `width` columns; a longer text is cut, with
 * a mark at its end. Returns the number of columns used.
 */
int screen_put(int line, int column, int width, enum screen_style style, const char *text);
/* Draws as screen_put, but aligned to the right of `width` columns. */
void screen_put_right(int line, int column, int width, enum screen_style style, const char *text);

/* Replaces `text`, for a message, by what screen_put draws of it; also while it is closed. */
void screen_clean(char *text);

/* Returns the number of columns that screen_put uses for all of `text`. */
int screen_width(const char *text);

/*
 * Makes screen_show show the terminal's cursor at line, column, until the next screen_begin;
 * without this the cursor is hidden.
 */
void screen_point(int line, int column);

/*
 * Returns the next key that was pressed: an enum screen_key or a code point; SCREEN_NO_KEY: none.
 * Does not wait.
 */
int screen_key(void);

#endif
