/* SPDX-License-Identifier: MIT */
#include "tools/cgtop/screen.h"

#include <errno.h>
#include <langinfo.h>
#include <libgen.h>
#include <limits.h>
#include <locale.h>
#include <ncurses.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#define ESCAPE_MS 25
#define CLIPPED   0x2026 /* … */

static struct {
    SCREEN *terminal;
    bool is_utf8, has_colors;
    int point_line, point_column; /* -1: nowhere */
} screen;

static const struct {
    short text, ground; /* -1: the terminal's own */
    attr_t with_colors, without;
} styles[SCREEN_STYLES] = {
    [STYLE_PLAIN] = {-1, -1, A_NORMAL, A_NORMAL},
    [STYLE_BOLD] = {-1, -1, A_BOLD, A_BOLD},
    [STYLE_DIM] = {-1, -1, A_DIM, A_DIM},
    [STYLE_HEAD] = {COLOR_BLACK, COLOR_GREEN, A_NORMAL, A_REVERSE},
    [STYLE_CURSOR] = {COLOR_BLACK, COLOR_CYAN, A_NORMAL, A_REVERSE},
    [STYLE_KEY] = {-1, -1, A_NORMAL, A_BOLD},
    [STYLE_LABEL] = {COLOR_BLACK, COLOR_CYAN, A_NORMAL, A_REVERSE},
    [STYLE_GOOD] = {COLOR_GREEN, -1, A_NORMAL, A_BOLD},
    [STYLE_WARN] = {COLOR_YELLOW, -1, A_NORMAL, A_NORMAL},
    [STYLE_BAD] = {COLOR_RED, -1, A_NORMAL, A_BOLD},
    [STYLE_NAME] = {COLOR_CYAN, -1, A_NORMAL, A_BOLD},
};

static void begin_colors(void)
{
    const char *refused = getenv("NO_COLOR");

    screen.has_colors =
        !(refused && *refused) && has_colors() && start_color() == OK && use_default_colors() == OK;
    for (int i = 0; screen.has_colors && i < SCREEN_STYLES; i++)
        init_pair((short)(i + 1), styles[i].text, styles[i].ground);
}

static bool asks_for_utf8(void)
{
    const char *names[] = {"LC_ALL", "LC_CTYPE", "LANG"}, *locale = NULL;

    for (size_t i = 0; !(locale && *locale) && i < sizeof(names) / sizeof(names[0]); i++)
        locale = getenv(names[i]);
    return locale && strcasestr(locale, "utf");
}

/*
 * Sets the character set, and returns whether it is UTF-8. If the locale cannot be set (it is
 * missing, or another C library's) but its name says UTF-8, C.UTF-8 is used.
 */
static bool begin_characters(void)
{
    if (!setlocale(LC_CTYPE, "") && asks_for_utf8())
        setlocale(LC_CTYPE, "C.UTF-8");
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

/* Opens the terminal; with the descriptions in ../share/terminfo, if the system has none for it. */
static SCREEN *begin_terminal(void)
{
    SCREEN *terminal = newterm(NULL, stdout, stdin);
    char *program = terminal ? NULL : realpath("/proc/self/exe", NULL), *path;

    if (program && asprintf(&path, "%s/../share/terminfo", dirname(program)) >= 0) {
        setenv("TERMINFO", path, 1);
        free(path);
        terminal = newterm(NULL, stdout, stdin);
    }
    free(program);
    return terminal;
}

enum status screen_open(struct diag *diag)
{
    const char *name = getenv("TERM");

    screen.is_utf8 = begin_characters();
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
        diag_set(diag, NULL, "standard input and output have to be a terminal");
        diag_hint(diag, "to a file: cgsnap -p PID, then cgunwind");
        return STATUS_IO;
    }
    screen.terminal = begin_terminal();
    if (!screen.terminal) {
        diag_set(diag, NULL, "this terminal is not known: %s", name && *name ? name : "no $TERM");
        diag_hint(diag, "set TERM, as to xterm");
        return STATUS_IO;
    }
    set_term(screen.terminal);
    cbreak();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    set_escdelay(ESCAPE_MS);
    curs_set(0);
    begin_colors();
    return STATUS_OK;
}

/* Says whether the terminal is ours: a shell may have given it to another job. */
static bool is_ours(void)
{
    const pid_t group = tcgetpgrp(STDOUT_FILENO);

    return group < 0 || group == getpgrp();
}

void screen_close(void)
{
    if (!screen.terminal)
        return;
    if (is_ours())
        endwin();
    delscreen(screen.terminal);
    screen.terminal = NULL;
}

void screen_suspend(const sigset_t *mask)
{
    struct sigaction usual = {.sa_handler = SIG_DFL}, ours;
    sigset_t before;

    endwin();
    sigaction(SIGTSTP, &usual, &ours);
    sigprocmask(SIG_SETMASK, mask, &before);
    raise(SIGTSTP);
    sigprocmask(SIG_SETMASK, &before, NULL);
    sigaction(SIGTSTP, &ours, NULL);
}

void screen_resume(void)
{
    endwin(); /* makes refresh set the terminal's modes again */
    clearok(stdscr, TRUE);
    refresh();
}

void screen_hurry(void)
{
    const int error = errno;

    signal(SIGTTOU, SIG_IGN); /* drawing in the background would stop us again */
    if (is_ours()) {
        tcflow(STDOUT_FILENO, TCOOFF); /* without it TCOON would not undo Ctrl-S */
        tcflow(STDOUT_FILENO, TCOON);
        tcflush(STDOUT_FILENO, TCOFLUSH);
    }
    errno = error;
}

void screen_size(int *lines, int *columns)
{
    getmaxyx(stdscr, *lines, *columns);
}

void screen_begin(void)
{
    screen.point_line = screen.point_column = -1;
    erase();
}

void screen_show(void)
{
    if (screen.point_line >= 0)
        move(screen.point_line, screen.point_column);
    curs_set(screen.point_line >= 0);
    refresh();
}

void screen_point(int line, int column)
{
    screen.point_line = line;
    screen.point_column = column;
}

static attr_t attribute_of(enum screen_style style)
{
    return screen.has_colors ? styles[style].with_colors : styles[style].without;
}

static short pair_of(enum screen_style style)
{
    return screen.has_colors ? (short)(style + 1) : 0;
}

void screen_fill(int line, int column, int width, enum screen_style style)
{
    int lines, columns;

    screen_size(&lines, &columns);
    if (width < 0 || width > columns - column)
        width = columns - column;
    for (int i = 0; i < width && line >= 0 && line < lines; i++)
        mvaddch(line, column + i, ' ');
    if (width > 0)
        mvchgat(line, column, width, attribute_of(style), pair_of(style), NULL);
}

/* Says whether it has no width or changes text's direction; not all C libraries know all. */
static bool is_format(wchar_t c)
{
    return c == 0xad || c == 0x61c || (c >= 0x200b && c <= 0x200f) ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff ||
           (c >= 0xe0000 && c <= 0xe0fff);
}

/* Takes the next character to be drawn from *text. Returns its columns; 0: there are no more. */
static int next_character(const char **text, wchar_t *out)
{
    while (**text) {
        mbstate_t state = {0};
        wchar_t c;
        size_t n = screen.is_utf8 ? mbrtowc(&c, *text, MB_LEN_MAX, &state) : (size_t)-1;

        if (n == (size_t)-1 || n == (size_t)-2 || n == 0) {
            c = (unsigned char)**text < 0x80 ? (wchar_t) * *text : L'?';
            n = 1;
            /* Without UTF-8, one '?' stands for the whole character. */
            while (!screen.is_utf8 && c == L'?' && ((unsigned char)(*text)[n] & 0xc0) == 0x80)
                n++;
        }
        *text += n;
        if (is_format(c))
            continue;
        if (c < 0x20 || (c >= 0x7f && c < 0xa0) || wcwidth(c) < 0)
            c = L'?';
        if (wcwidth(c) == 0)
            continue;
        *out = c;
        return wcwidth(c);
    }
    return 0;
}

void screen_clean(char *text)
{
    const char *from = text;
    wchar_t c;

    screen.is_utf8 = begin_characters();
    while (next_character(&from, &c) > 0)
        text += wcrtomb(text, c, &(mbstate_t){0}); /* as many bytes as it had, or a '?' */
    *text = '\0';
}

int screen_width(const char *text)
{
    int width = 0, n;
    wchar_t c;

    while ((n = next_character(&text, &c)) > 0)
        width += n;
    return width;
}

static void put_character(int line, int column, enum screen_style style, wchar_t c)
{
    const wchar_t text[2] = {c, 0};
    cchar_t cell;

    if (setcchar(&cell, text, attribute_of(style), pair_of(style), NULL) == OK)
        mvadd_wch(line, column, &cell);
}

int screen_put(int line, int column, int width, enum screen_style style, const char *text)
{
    int lines, columns, used = 0, n;
    bool is_clipped;
    wchar_t c;

    screen_size(&lines, &columns);
    if (width > columns - column)
        width = columns - column;
    if (width <= 0 || line < 0 || line >= lines)
        return 0;
    is_clipped = screen_width(text) > width;
    while ((n = next_character(&text, &c)) > 0 && used + n <= width - is_clipped) {
        put_character(line, column + used, style, c);
        used += n;
    }
    if (is_clipped)
        put_character(line, column + used++, style, screen.is_utf8 ? CLIPPED : L'+');
    return used;
}

void screen_put_right(int line, int column, int width, enum screen_style style, const char *text)
{
    const int wide = screen_width(text);

    screen_put(line, column + (wide < width ? width - wide : 0), width, style, text);
}

static int key_of(wint_t code)
{
    static const struct {
        int code, key;
    } keys[] = {
        {KEY_UP, SCREEN_UP},           {KEY_DOWN, SCREEN_DOWN},      {KEY_LEFT, SCREEN_LEFT},
        {KEY_RIGHT, SCREEN_RIGHT},     {KEY_PPAGE, SCREEN_PAGE_UP},  {KEY_NPAGE, SCREEN_PAGE_DOWN},
        {KEY_HOME, SCREEN_HOME},       {KEY_END, SCREEN_END},        {KEY_ENTER, SCREEN_ENTER},
        {KEY_BACKSPACE, SCREEN_ERASE}, {KEY_RESIZE, SCREEN_RESIZED},
    };

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
        if ((int)code == keys[i].code)
            return keys[i].key;
    return (int)code > KEY_F0 && (int)code <= KEY_F0 + 12 ? SCREEN_F1 + (int)code - KEY_F(1)
                                                          : SCREEN_OTHER;
}

int screen_key(void)
{
    wint_t c;
    int kind = get_wch(&c);

    if (kind == ERR)
        return SCREEN_NO_KEY;
    if (kind == KEY_CODE_YES)
        return key_of(c);
    switch (c) {
    case '\r':
    case '\n':
        return SCREEN_ENTER;
    case 0x1b:
        return SCREEN_ESCAPE;
    case 0x7f:
    case '\b':
        return SCREEN_ERASE;
    default:
        return (int)c;
    }
}
