/* SPDX-License-Identifier: MIT */
#include "threads/window.h"

#include <inttypes.h>
#include <stdio.h>

#define SECOND_NS  UINT64_C(1000000000)
#define DIGITS_MIN 2
#define DIGITS_MAX 9
#define NUMBER_MAX 40

bool window_is_part(const struct window *window)
{
    return window->from_ns > 0 || window->to_ns > 0;
}

static uint64_t unit_of(int digits)
{
    uint64_t unit = SECOND_NS;

    while (digits-- > 0)
        unit /= 10;
    return unit;
}

/* Writes seconds, rounded to `digits` decimals. */
static void put_seconds(char text[NUMBER_MAX], uint64_t time_ns, int digits)
{
    uint64_t unit = unit_of(digits), units = time_ns / unit + (time_ns % unit > unit / 2);

    snprintf(text, NUMBER_MAX, "%" PRIu64 ".%0*" PRIu64, units / (SECOND_NS / unit), digits,
             units % (SECOND_NS / unit));
}

const char *window_text(char buffer[WINDOW_TEXT_MAX], const struct window *window)
{
    bool ends_early = window->to_ns && (!window->whole_ns || window->to_ns < window->whole_ns);
    uint64_t to_ns = ends_early ? window->to_ns : window->whole_ns;
    char from[NUMBER_MAX], to[NUMBER_MAX], whole[NUMBER_MAX];
    int digits = DIGITS_MIN, length;

    while (digits < DIGITS_MAX &&
           (window->from_ns % unit_of(digits) || (ends_early && window->to_ns % unit_of(digits))))
        digits++;
    put_seconds(from, window->from_ns, digits);
    put_seconds(to, to_ns, digits);
    put_seconds(whole, window->whole_ns, digits);
    if (to_ns > window->from_ns)
        length = snprintf(buffer, WINDOW_TEXT_MAX, "%s-%s s", from, to);
    else
        length = snprintf(buffer, WINDOW_TEXT_MAX, "from %s s", from);
    if (window->whole_ns)
        snprintf(buffer + length, WINDOW_TEXT_MAX - (size_t)length, " of %s s", whole);
    return buffer;
}
