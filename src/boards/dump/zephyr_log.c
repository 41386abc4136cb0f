/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "boards/dump/zephyr.h"

#define MARK "#CD:"

static int digit(uint8_t c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool begins(const uint8_t *at, size_t size, const char *word)
{
    return size >= strlen(word) && memcmp(at, word, strlen(word)) == 0;
}

/* Decodes pairs of digits, up to other characters, as colours of a terminal. */
static size_t decode_line(const uint8_t *at, size_t size, uint8_t *out)
{
    size_t count = 0;

    while (2 * count + 1 < size) {
        const int high = digit(at[2 * count]), low = digit(at[2 * count + 1]);

        if (high < 0 || low < 0)
            break;
        out[count++] = (uint8_t)(high << 4 | low);
    }
    return count;
}

/* Decodes in place: the output never overtakes the input. */
enum status zephyr_log_decode(uint8_t *text, size_t *size, bool *is_whole, const char *name,
                              struct diag *diag)
{
    bool has_begun = false;
    size_t len = 0, end;

    *is_whole = false;
    for (size_t line = 0; line < *size && !*is_whole; line = end + 1) {
        const uint8_t *newline = memchr(text + line, '\n', *size - line), *at;

        end = newline ? (size_t)(newline - text) : *size;
        at = memmem(text + line, end - line, MARK, strlen(MARK));
        if (!at)
            continue;
        at += strlen(MARK);
        if (begins(at, (size_t)(text + end - at), "BEGIN#")) {
            has_begun = true;
            len = 0;
        } else if (begins(at, (size_t)(text + end - at), "ERROR")) {
            diag_set_at(diag, name, line, "the log says that Zephyr could not dump its memory");
            return STATUS_BAD_DATA;
        } else if (begins(at, (size_t)(text + end - at), "END#")) {
            *is_whole = has_begun;
        } else if (has_begun) {
            len += decode_line(at, (size_t)(text + end - at), text + len);
        }
    }
    *size = len;
    if (has_begun)
        return STATUS_OK;
    diag_set(diag, name,
             "is not a snapshot, and no log with a dump of Zephyr, which has " MARK "BEGIN#");
    diag_hint(diag, "give a file that cgsnap wrote, an ELF core, a perf.data or a pprof profile");
    return STATUS_BAD_DATA;
}
