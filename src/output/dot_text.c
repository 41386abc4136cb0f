/* SPDX-License-Identifier: MIT */
#include "output/dot_text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "output/svg.h"

void dot_put_text(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fprintf(out, "\\%c", *text);
        else if (*text == '&')
            fputs("&amp;", out);
        else if (*text == '\n')
            fputs("\\n", out);
        else
            fputc(*text, out);
    }
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
    for (; lines && *lines; lines++) {
        const char one[2] = {*lines, '\0'};

        if (*lines == '\n')
            fputs("\\l", out);
        else
            dot_put_text(out, one);
    }
}
