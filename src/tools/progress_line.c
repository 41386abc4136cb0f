/* SPDX-License-Identifier: MIT */
#include "tools/progress_line.h"

#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

void progress_line_text(struct progress_line *line, const char *text)
{
    while (*text && line->length < sizeof(line->text))
        line->text[line->length++] = *text++;
}

void progress_line_number(struct progress_line *line, uint64_t number)
{
    char digits[21];
    size_t at = sizeof(digits) - 1;

    digits[at] = '\0';
    do
        digits[--at] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    progress_line_text(line, digits + at);
}

/*
 * Says whether we are in the foreground. In the background another job has the terminal, and
 * writing may stop us (tostop).
 */
static bool is_in_front(int fd)
{
    const pid_t group = tcgetpgrp(fd);

    return group > 0 && group == getpgrp();
}

/* Returns the usable columns: not the last one, behind which lines wrap. */
static size_t room(int fd)
{
    struct winsize size;

    return ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col && size.ws_col <= PROGRESS_LINE_MAX
               ? size.ws_col - 1u
               : PROGRESS_LINE_MAX;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

void progress_line_show(struct progress_line *line, int fd)
{
    const bool stays = line->length && line->text[line->length - 1] == '\n';
    const size_t most = stays ? PROGRESS_LINE_MAX : room(fd);
    char bytes[1 + 2 * PROGRESS_LINE_MAX];
    size_t size = 0;
    ssize_t written;

    line->length = is_in_front(fd) ? least(line->length, most) : 0;
    line->shown = least(line->shown, most);
    if (!line->length)
        return;

    bytes[size++] = '\r';
    memcpy(bytes + size, line->text, line->length);
    size += line->length;
    for (size_t i = line->length; i < line->shown; i++)
        bytes[size++] = ' ';
    if (size > 1 + line->length) { /* the cursor goes back behind the text */
        memset(bytes + size, '\b', size - 1 - line->length);
        size += size - 1 - line->length;
    }
    written = write(fd, bytes, size);
    if (written > 1 && line->shown < (size_t)written - 1) /* only a part may have been written */
        line->shown = (size_t)written - 1;
    if (written == (ssize_t)size)
        line->shown = stays ? 0 : line->length;
    line->length = 0;
}

void progress_line_erase(struct progress_line *line, int fd)
{
    char bytes[2 + PROGRESS_LINE_MAX];

    line->length = 0;
    line->shown = is_in_front(fd) ? least(line->shown, room(fd)) : 0;
    if (!line->shown)
        return;
    bytes[0] = '\r';
    memset(bytes + 1, ' ', line->shown);
    bytes[1 + line->shown] = '\r';
    if (write(fd, bytes, 2 + line->shown) == (ssize_t)(2 + line->shown))
        line->shown = 0;
}
