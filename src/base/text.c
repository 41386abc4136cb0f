/* SPDX-License-Identifier: MIT */
#include "base/text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/*
 * Returns the length of the well-formed UTF-8 sequence at `s` (Unicode 15, table 3-7); 0: there is
 * none. Does not read behind a NUL.
 */
static size_t utf8_length(const unsigned char *s)
{
    size_t length;
    unsigned char low = 0x80;
    unsigned char high = 0xbf;

    if (s[0] < 0x80)
        return 1;
    if (s[0] >= 0xc2 && s[0] <= 0xdf)
        length = 2;
    else if (s[0] >= 0xe0 && s[0] <= 0xef)
        length = 3;
    else if (s[0] >= 0xf0 && s[0] <= 0xf4)
        length = 4;
    else
        return 0;
    /* Overlong forms, surrogates and what lies above U+10FFFF show in the second byte. */
    if (s[0] == 0xe0)
        low = 0xa0;
    else if (s[0] == 0xf0)
        low = 0x90;
    else if (s[0] == 0xed)
        high = 0x9f;
    else if (s[0] == 0xf4)
        high = 0x8f;
    if (s[1] < low || s[1] > high)
        return 0;
    for (size_t i = 2; i < length; i++)
        if (s[i] < 0x80 || s[i] > 0xbf)
            return 0;
    return length;
}

/*
 *     U+0000 to U+001F, U+007F             controls
 *     U+0080 to U+009F                     C1 controls, which terminals obey, too
 *     U+061C, U+200E, U+200F               marks of a direction of writing
 *     U+2028, U+2029                       line and paragraph separators
 *     U+202A to U+202E, U+2066 to U+2069   turn around what follows, up to the line's end
 */
static bool is_control(const unsigned char *s, size_t length)
{
    if (length == 3 && s[0] == 0xe2 && s[1] == 0x80)
        return s[2] == 0x8e || s[2] == 0x8f || (s[2] >= 0xa8 && s[2] <= 0xae);
    if (length == 3)
        return s[0] == 0xe2 && s[1] == 0x81 && s[2] >= 0xa6 && s[2] <= 0xa9;
    if (length == 2)
        return (s[0] == 0xc2 && s[1] < 0xa0) || (s[0] == 0xd8 && s[1] == 0x9c);
    return length == 1 && (s[0] < 0x20 || s[0] == 0x7f);
}

char *text_clean(const char *text, enum text_controls controls)
{
    static const char replacement[] = "\xef\xbf\xbd";
    const unsigned char *s = (const unsigned char *)text;
    size_t size = strnlen(text, TEXT_NAME_SEEN) * 3 + sizeof("...");
    char *clean = malloc(size);
    size_t len = 0;

    if (!clean)
        return NULL;
    while (*s) {
        size_t step = utf8_length(s);

        if (len + (step ? step : 3) > TEXT_NAME_MAX) {
            memcpy(clean + len, "...", 3);
            len += 3;
            break;
        }
        if (step == 0) {
            memcpy(clean + len, replacement, 3);
            len += 3;
        } else if (is_control(s, step) && (controls == TEXT_REPLACE_CONTROLS || *s >= 0x20)) {
            clean[len++] = '?';
        } else {
            memcpy(clean + len, s, step);
            len += step;
        }
        s += step ? step : 1;
    }
    clean[len] = '\0';
    return clean;
}

enum status text_put_clean(const char *text, FILE *out)
{
    char *clean = text_clean(text, TEXT_REPLACE_CONTROLS);

    if (!clean)
        return STATUS_NO_MEMORY;
    fputs(clean, out);
    free(clean);
    return STATUS_OK;
}

void text_disarm(char *text)
{
    while (*text) {
        unsigned char *s = (unsigned char *)text;
        size_t step = utf8_length(s);

        if (step ? is_control(s, step) : s[0] < 0xa0)
            memset(text, '?', step ? step : 1);
        text += step ? step : 1;
    }
}

const char *text_basename(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash && slash[1] ? slash + 1 : path;
}

enum status text_close(FILE *memory, char *const *text)
{
    bool bad = ferror(memory);

    return fclose(memory) == 0 && !bad && *text ? STATUS_OK : STATUS_NO_MEMORY;
}

enum status text_finish(FILE *out)
{
    return fflush(out) == 0 && !ferror(out) ? STATUS_OK : STATUS_IO;
}
