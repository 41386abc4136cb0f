/* SPDX-License-Identifier: MIT */
#include "output/svg_fit.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "output/svg.h"

static const char TEXT[] = "<text ";
static const char END[] = "</text>";
static const char SIZE[] = " font-size=\"";

#define TEXT_MAX 4096 /* bytes of a text that is measured, with the NUL */

/* Entities of XML text. */
static const struct entity {
    const char *name, *text;
} ENTITIES[] = {
    {"&amp;", "&"},  {"&lt;", "<"},  {"&gt;", ">"},          {"&quot;", "\""}, {"&#39;", "'"},
    {"&apos;", "'"}, {"&#45;", "-"}, {"&#160;", "\xc2\xa0"}, {"&#10;", "\n"},  {"&#13;", "\r"},
};

static const struct entity *find_entity(const char *text, size_t size)
{
    for (size_t i = 0; *text == '&' && i < sizeof(ENTITIES) / sizeof(ENTITIES[0]); i++) {
        size_t length = strlen(ENTITIES[i].name);

        if (length <= size && memcmp(text, ENTITIES[i].name, length) == 0)
            return &ENTITIES[i];
    }
    return NULL;
}

/* Reads text without the spaces at its ends, which viewers drop. False: it is too long. */
static bool read_text(const char *xml, size_t size, char text[TEXT_MAX])
{
    size_t at = 0;

    while (size && xml[size - 1] == ' ')
        size--;
    for (size_t i = 0; i < size;) {
        const struct entity *entity = find_entity(xml + i, size - i);
        size_t length = entity ? strlen(entity->text) : 1;

        if (at + length >= TEXT_MAX)
            return false;
        if (at || entity || xml[i] != ' ') {
            memcpy(text + at, entity ? entity->text : xml + i, length);
            at += length;
        }
        i += entity ? strlen(entity->name) : 1;
    }
    text[at] = '\0';
    return true;
}

/* Reads "12.34" in hundredths; 0: no number. */
static uint64_t read_size(const char *text, const char *end)
{
    uint64_t whole = 0, part = 0, scale = 100;

    for (; text < end && *text >= '0' && *text <= '9' && whole < 100000; text++)
        whole = whole * 10 + (uint64_t)(*text - '0');
    if (text < end && *text == '.')
        for (text++; text < end && *text >= '0' && *text <= '9' && scale > 1; text++) {
            scale /= 10;
            part += (uint64_t)(*text - '0') * scale;
        }
    return text < end && (*text == '"' || scale == 1) ? whole * 100 + part : 0;
}

/* Writes a textLength; the tag ends at `inside`, the element's text at `end`. */
static void put_length(const char *tag, const char *inside, const char *end, FILE *out)
{
    const char *size = memmem(tag, (size_t)(inside - tag), SIZE, strlen(SIZE));
    char text[TEXT_MAX];
    uint64_t length;

    if (!size || !read_text(inside, (size_t)(end - inside), text))
        return;
    length = svg_text_sans(text) * read_size(size + strlen(SIZE), inside) / 10000; /* tenths */
    if (length == 0)
        return;
    fputs(" textLength=\"", out);
    svg_number(out, length);
    fputs("\" lengthAdjust=\"spacingAndGlyphs\"", out);
}

void svg_fit(const char *svg, size_t size, FILE *out)
{
    const char *stop = svg + size;

    while (svg < stop) {
        const char *tag = memmem(svg, (size_t)(stop - svg), TEXT, strlen(TEXT));
        const char *close = tag ? memchr(tag, '>', (size_t)(stop - tag)) : NULL;
        const char *end = close ? memmem(close, (size_t)(stop - close), END, strlen(END)) : NULL;

        if (!end)
            break;
        fwrite(svg, 1, (size_t)(close - svg), out);
        put_length(tag, close + 1, end, out);
        fwrite(close, 1, (size_t)(end - close), out);
        svg = end;
    }
    fwrite(svg, 1, (size_t)(stop - svg), out);
}
