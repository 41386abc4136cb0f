/* SPDX-License-Identifier: MIT */
/*
 * The terminal: all that is drawn goes through here, and all of ncurses is here.
 *
 * What is drawn may come from hostile files and threads. Only characters that take one or two
 * columns reach the terminal: control characters become '?', what has no width (marks, directions
 * of text) is left out, bytes that are no UTF-8 become '?'.
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
    STYLE_HEAD,   /* of columns */
    STYLE_CURSOR, /* the row that is chosen */
    STYLE_KEY,    /* of the last line: what is pressed, */
    STYLE_LABEL,  /* and what it does */
    STYLE_GOOD,
    STYLE_WARN,
    STYLE_BAD,
    STYLE_NAME,
};
#define SCREEN_STYLES 11

/* Keys that are no characters; all others are code points. */
enum screen_key {
    SCREEN_NO_KEY = -1, /* none was pressed */
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
 * Takes the terminal that standard input and output are, and reads all that is to be known of it.
 * IO with `diag` filled.
 */
MUST_CHECK enum status screen_open(struct diag *diag);
/* Gives it back, unless it is another job's now. Of one that is not open, too. */
void screen_close(void);

/*
 * Gives it back, and stops this process, which takes the signals of `mask` meanwhile. Returns when
 * it is continued. Then, and when something else has stopped it, screen_resume takes it again; in
 * the background that waits for the foreground.
 */
void screen_suspend(const sigset_t *mask);
void screen_resume(void);

/*
 * What the terminal does not take (Ctrl-S, nobody reads) is thrown away, so that nothing waits for
 * it any more. For handlers of signals.
 */
void screen_hurry(void);

void screen_size(int *lines, int *columns);

/* What is drawn from here on, up to screen_show, is the screen. */
void screen_begin(void);
void screen_show(void);

/* Colours a part of a line; `width` below 0: up to its end. */
void screen_fill(int line, int column, int width, enum screen_style style);

/*
 * The text, cleaned, in `width` columns at most; of a longer one the end is left out, with a mark.
 * Returns how many it took.
 */
int screen_put(int line, int column, int width, enum screen_style style, const char *text);
/* The same at the right of `width` columns. */
void screen_put_right(int line, int column, int width, enum screen_style style, const char *text);

/* How many columns it takes. */
int screen_width(const char *text);

/* The terminal's cursor: where something is typed. Else it is not seen. */
void screen_point(int line, int column);

int screen_key(void);

#endif
