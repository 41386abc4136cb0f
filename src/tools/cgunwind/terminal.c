/* SPDX-License-Identifier: MIT */
#include "tools/cgunwind/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "output/screen.h"
#include "tools/cgunwind/pager.h"
#include "tools/progress.h"

#define DEFAULT_PAGER "less"
#define COLUMNS_MAX   10000
#define HELD_BYTES    65536 /* bytes of messages, while a pager runs */

static bool is_dumb(void)
{
    const char *term = getenv("TERM");

    return !term || !*term || strcmp(term, "dumb") == 0;
}

static bool wants_colour(const struct terminal *t, const struct cgunwind_options *o)
{
    const char *no_color = getenv("NO_COLOR");

    switch (o->colour) {
    case COLOUR_ALWAYS:
        return true;
    case COLOUR_NEVER:
        return false;
    case COLOUR_AUTO:
        break;
    }
    return t->is_there && !is_dumb() && !(no_color && *no_color);
}

/* Returns the terminal's width: $COLUMNS, else what the terminal says; 0: not known. */
static size_t width(void)
{
    const char *columns = getenv("COLUMNS");
    const long given = columns ? strtol(columns, NULL, 10) : 0;
    struct winsize size;

    if (given > 0 && given <= COLUMNS_MAX)
        return (size_t)given;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/* Says whether the output goes through a pager: no drawing does, as its text would be shown. */
static bool is_paged(const struct cgunwind_options *o)
{
    return !o->no_pager && (o->info || o->format->drawing == DRAWN_NOT);
}

enum status terminal_begin(struct terminal *t, const struct cgunwind_options *o, struct diag *diag)
{
    const bool is_text = o->format->medium == MEDIUM_TEXT;
    const char *command;

    t->is_there = !o->output && isatty(STDOUT_FILENO);
    t->colour = is_text && wants_colour(t, o);
    if (!t->is_there)
        return STATUS_OK;
    if (!o->info && o->format->medium == MEDIUM_BINARY) {
        diag_set(diag, NULL, "%s is binary, and the output is a terminal", o->format->name);
        diag_hint(diag, "use -o FILE; -o - writes it there all the same");
        return STATUS_UNSUPPORTED;
    }
    t->columns = is_text ? width() : 0;
    command = is_paged(o) ? pager_command(is_dumb() ? NULL : DEFAULT_PAGER) : NULL;
    t->pager = command ? pager_begin(command) : 0;
    return STATUS_OK;
}

void terminal_hold(struct terminal *t)
{
    static char held[HELD_BYTES]; /* the C library's own buffer may be small */

    progress_end_for_output();
    if (t->pager && isatty(STDERR_FILENO))
        setvbuf(stderr, held, _IOFBF, sizeof(held));
}

static void begin_output(void *context)
{
    struct terminal *t = context;

    if (t->is_there)
        progress_end();
    terminal_hold(t);
}

FILE *terminal_stream(struct terminal *t, const char *const *caveats)
{
    const struct screen_options options = {.to = stdout,
                                           .colour = t->colour,
                                           .columns = t->columns,
                                           .caveats = caveats,
                                           .begin = begin_output,
                                           .context = t};

    return t->is_there || t->colour ? screen_open(&options) : stdout;
}

bool terminal_is_left(const struct terminal *t)
{
    return t->pager && pager_is_left();
}

enum status terminal_end(struct terminal *t, struct diag *diag)
{
    bool has_run;

    if (!t->pager)
        return STATUS_OK;
    (void)!fflush(stdout); /* for what was printed to stdout itself */
    has_run = pager_end(t->pager);
    (void)!fflush(stderr);
    setvbuf(stderr, NULL, _IONBF, 0);
    if (has_run)
        return STATUS_OK;
    diag_set(diag, NULL, "the pager could not be run, and nothing was shown");
    diag_hint(diag, "see PAGER, or use --no-pager");
    return STATUS_NOT_FOUND;
}
