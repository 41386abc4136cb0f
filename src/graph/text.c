#include "graph/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The length of the well-formed UTF-8 sequence (Unicode 15, table 3-7) at `s`, or 0. Stops at NUL.
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

/* U+0000 to U+001F, U+007F, and the C1 controls U+0080 to U+009F, which terminals obey too. */
static bool is_control(const unsigned char *s, size_t length)
{
    return (length == 1 && (s[0] < 0x20 || s[0] == 0x7f)) ||
           (length == 2 && s[0] == 0xc2 && s[1] < 0xa0);
}

char *text_clean(const char *text, enum text_controls controls)
{
    static const char replacement[] = "\xef\xbf\xbd";
    const unsigned char *s = (const unsigned char *)text;
    size_t size = strnlen(text, TEXT_NAME_MAX + 4) * 3 + sizeof("...");
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
        } else if (controls == TEXT_REPLACE_CONTROLS && is_control(s, step)) {
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

const char *text_basename(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash && slash[1] ? slash + 1 : path;
}

const char *text_weight(char buffer[TEXT_NUMBER_MAX], enum weight_kind kind, uint64_t value)
{
    if (kind == WEIGHT_SAMPLES || kind == WEIGHT_CALLS)
        snprintf(buffer, TEXT_NUMBER_MAX, "%" PRIu64, value);
    else if (value >= 1000000000)
        snprintf(buffer, TEXT_NUMBER_MAX, "%" PRIu64 ".%03" PRIu64 " s", value / 1000000000,
                 value / 1000000 % 1000);
    else if (value >= 1000000)
        snprintf(buffer, TEXT_NUMBER_MAX, "%" PRIu64 ".%" PRIu64 " ms", value / 1000000,
                 value / 100000 % 10);
    else if (value >= 1000)
        snprintf(buffer, TEXT_NUMBER_MAX, "%" PRIu64 " us", value / 1000);
    else
        snprintf(buffer, TEXT_NUMBER_MAX, "%" PRIu64 " ns", value);
    return buffer;
}

uint32_t text_basis_points(uint64_t part, uint64_t total)
{
    if (total == 0)
        return 0;
    if (part >= total)
        return 10000;
    /* Scaled down first where the product would not fit. */
    while (total > UINT64_MAX / 20001) {
        part >>= 1;
        total >>= 1;
    }
    return (uint32_t)((part * 20000 + total) / (total * 2));
}

const char *text_share(char buffer[TEXT_NUMBER_MAX], uint64_t part, uint64_t total)
{
    uint32_t points = text_basis_points(part, total);

    snprintf(buffer, TEXT_NUMBER_MAX, "%" PRIu32 ".%02" PRIu32 "%%", points / 100, points % 100);
    return buffer;
}

const char *text_delta(char buffer[TEXT_NUMBER_MAX], int32_t points)
{
    uint32_t size = (uint32_t)(points < 0 ? -points : points);

    snprintf(buffer, TEXT_NUMBER_MAX, "%s%" PRIu32 ".%02" PRIu32 "%%",
             points < 0   ? "-"
             : points > 0 ? "+"
                          : "",
             size / 100, size % 100);
    return buffer;
}

uint64_t text_cutoff(uint64_t total, double fraction)
{
    /* A little less, so that 7 of 100 is not below 0.07, which is a little more than 7/100. */
    double least = (double)total * fraction * (1 - 1e-9);
    uint64_t cutoff;

    if (!(least > 0))
        return 0;
    if (least >= 0x1p63)
        return UINT64_MAX;
    cutoff = (uint64_t)least;
    return cutoff + ((double)cutoff < least);
}

const char *text_weight_name(enum weight_kind kind)
{
    switch (kind) {
    case WEIGHT_SAMPLES:
        return "samples";
    case WEIGHT_WALL:
        return "wall time";
    case WEIGHT_CPU:
        return "CPU time";
    case WEIGHT_OFFCPU:
        return "off-CPU time";
    case WEIGHT_CALLS:
        return "calls";
    }
    return "";
}

/* proc(5), field 3 of /proc/PID/stat. */
const char *text_state_name(char state)
{
    switch (state) {
    case 'R':
        return "running";
    case 'S':
        return "sleeping";
    case 'D':
        return "disk-sleep";
    case 'T':
        return "stopped";
    case 't':
        return "tracing-stop";
    case 'Z':
        return "zombie";
    case 'X':
    case 'x':
        return "dead";
    case 'I':
        return "idle";
    case 'P':
        return "parked";
    default:
        return NULL;
    }
}

enum status text_finish(FILE *out)
{
    return fflush(out) == 0 && !ferror(out) ? STATUS_OK : STATUS_IO;
}
