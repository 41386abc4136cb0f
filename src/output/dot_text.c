/* SPDX-License-Identifier: MIT */
#include "output/dot_text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "output/svg.h"

/* Writes a character or byte, U+FFFE and U+FFFF as U+FFFD, and returns what is behind it. */
static const char *put_one(FILE *out, const char *text)
{
    if (strncmp(text, "\xef\xbf\xbe", 3) == 0 || strncmp(text, "\xef\xbf\xbf", 3) == 0) {
        fputs("\xef\xbf\xbd", out);
        return text + 3;
    }
    if (*text == '"' || *text == '\\')
        fprintf(out, "\\%c", *text);
    else if (*text == '&')
        fputs("&amp;", out);
    else
        fputc(*text, out);
    return text + 1;
}

static void put_lines(FILE *out, const char *text, const char *end)
{
    while (text && *text) {
        if (*text != '\n') {
            text = put_one(out, text);
            continue;
        }
        fputs(end, out);
        text++;
    }
}

void dot_put_text(FILE *out, const char *text)
{
    put_lines(out, text, "\\n");
}

uint64_t dot_text_sans(const char *label)
{
    char *line = malloc(strlen(label) + 1);
    uint64_t widest = 0;
    size_t size = 0;

    for (; line; label++) {
        bool ends = *label == '\0' || (*label == '\\' && label[1] == 'n');

        if (ends) {
            line[size] = '\0';
            widest = svg_text_sans(line) > widest ? svg_text_sans(line) : widest;
            size = 0;
        }
        if (*label == '\0')
            break;
        label += *label == '\\';
        if (!ends)
            line[size++] = *label;
        if (strncmp(label, "&amp;", 5) == 0)
            label += 4;
    }
    free(line);
    return widest;
}

void dot_put_lines(FILE *out, const char *lines)
{
    put_lines(out, lines, "\\l");
}
