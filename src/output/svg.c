/* SPDX-License-Identifier: MIT */
#include "output/svg.h"

#include <inttypes.h>
#include <stdbool.h>

/* Widths in Helvetica from the space on, in thousandths: Adobe's metrics, as in Arial. */
static const uint16_t SANS_WIDTH[] = {
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333,  278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667,  611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278,  556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500,  500, 334, 260, 334, 584,
};
#define SANS_OTHER 667 /* most other letters are no wider */
#define SANS_SPACE 0xa0u
#define SANS_DOTS  0x2026u

/* From WIDE_FROM on characters count as two cells, but for punctuation, arrows and operators. */
#define WIDE_FROM  0x1100u
#define SIGNS_FROM 0x2000u
#define SIGNS_END  0x2300u

void svg_number(FILE *out, uint64_t tenths)
{
    fprintf(out, "%" PRIu64, tenths / 10);
    if (tenths % 10)
        fprintf(out, ".%" PRIu64, tenths % 10);
}

/* Returns the code point at `text`, valid UTF-8, and sets the bytes that it takes. */
static uint32_t code_point(const char *text, size_t *length)
{
    const unsigned char *s = (const unsigned char *)text;
    uint32_t code;

    *length = s[0] < 0x80 ? 1 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
    code = *length == 1 ? s[0] : s[0] & (0x7fu >> *length);
    for (size_t i = 1; i < *length; i++)
        code = code << 6 | (s[i] & 0x3f);
    return code;
}

static size_t cells_of(uint32_t code)
{
    return code < WIDE_FROM || (code >= SIGNS_FROM && code < SIGNS_END) ? 1 : 2;
}

uint64_t svg_text_sans(const char *text)
{
    uint64_t width = 0;
    size_t length;

    for (; *text; text += length) {
        uint32_t code = code_point(text, &length);

        if (code >= ' ' && code <= '~')
            width += SANS_WIDTH[code - ' '];
        else if (code == SANS_SPACE)
            width += SANS_WIDTH[0];
        else
            width += code == SANS_DOTS || cells_of(code) == 2 ? 1000 : SANS_OTHER;
    }
    return width;
}

static void put_code(FILE *out, uint32_t code, const char *bytes, size_t length)
{
    if (code == '<')
        fputs("&lt;", out);
    else if (code == '>')
        fputs("&gt;", out);
    else if (code == '&')
        fputs("&amp;", out);
    else if (code == '"')
        fputs("&quot;", out);
    else if (code == 0xfffe || code == 0xffff)
        fputs("\xef\xbf\xbd", out);
    else
        fwrite(bytes, 1, length, out);
}

void svg_text(FILE *out, const char *text)
{
    svg_text_cut(out, text, SIZE_MAX);
}

size_t svg_text_cells(const char *text)
{
    size_t cells = 0, length;

    for (; *text; text += length)
        cells += cells_of(code_point(text, &length));
    return cells;
}

void svg_text_cut(FILE *out, const char *text, size_t cells)
{
    bool cut = cells != SIZE_MAX && svg_text_cells(text) > cells;
    size_t left = cut ? cells - (cells > 0) : cells, length;

    for (; *text; text += length) {
        uint32_t code = code_point(text, &length);

        if (cut && cells_of(code) > left)
            break;
        left -= cut ? cells_of(code) : 0;
        put_code(out, code, text, length);
    }
    if (cut && cells > 0)
        fputs("\xe2\x80\xa6", out);
}

void svg_text_middle(FILE *out, const char *text, size_t cells, size_t end)
{
    size_t all = svg_text_cells(text), at = 0, length, wide;
    bool elided = false;

    if (all <= cells) {
        svg_text(out, text);
        return;
    }
    if (cells == 0)
        return;
    if (end > cells - 1)
        end = cells - 1;
    for (; *text; text += length, at += wide) {
        uint32_t code = code_point(text, &length);

        wide = cells_of(code);
        if ((!elided && at + wide <= cells - 1 - end) || all - at <= end)
            put_code(out, code, text, length);
        else if (!elided)
            fputs("\xe2\x80\xa6", out);
        elided |= at + wide > cells - 1 - end;
    }
}

void svg_rect(FILE *out, uint64_t x, uint64_t y, uint64_t width, uint64_t height, const char *style)
{
    fputs("<rect x=\"", out);
    svg_number(out, x);
    fputs("\" y=\"", out);
    svg_number(out, y);
    fputs("\" width=\"", out);
    svg_number(out, width);
    fputs("\" height=\"", out);
    svg_number(out, height);
    fprintf(out, "\" class=\"%s\"", style);
}
