/* SPDX-License-Identifier: MIT */
#include "threads/report_text.h"

#include <string.h>

size_t report_text_width(const char *text)
{
    size_t width = 0;

    for (; *text; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

void report_text_begin(struct report_text *text, size_t first, size_t indent)
{
    fprintf(text->out, "%*s", (int)first, "");
    text->column = first;
    text->indent = indent;
    text->begun = false;
}

void report_text_put(struct report_text *text, const char *gap, const char *words)
{
    size_t width = report_text_width(words);
    size_t mark = strcspn(gap, " "); /* a comma stays where it is, an arrow goes along */

    if (!text->begun) {
        gap = "";
    } else if (text->column + report_text_width(gap) + width >=
               report_text_columns(text->columns)) {
        fprintf(text->out, "%.*s\n%*s", (int)mark, gap, (int)text->indent, "");
        text->column = text->indent;
        gap += mark + strspn(gap + mark, " ");
    }
    fprintf(text->out, "%s%s", gap, words);
    text->column += report_text_width(gap) + width;
    text->begun = true;
}

void report_text_end(struct report_text *text)
{
    fputc('\n', text->out);
    text->column = 0;
    text->begun = false;
}
