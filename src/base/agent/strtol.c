/* SPDX-License-Identifier: MIT */
/*
 * Numbers from text for agents, in place of the C library's, which read from streams of any kind
 * and are three kilobytes larger. Its resolver calls them, too. The least long is not
 * told apart from what is less.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

static int digit_of(char c)
{
    return c >= '0' && c <= '9'                     ? c - '0'
           : (c | 0x20) >= 'a' && (c | 0x20) <= 'z' ? (c | 0x20) - 'a' + 10
                                                    : INT_MAX;
}

/* No more than `max`: with ERANGE when it would be. */
static unsigned long long parse(const char *text, char **end, int base, unsigned long long max)
{
    const char *at = text, *first;
    unsigned long long value = 0;
    int negative, too_large = 0;

    while (*at == ' ' || (*at >= '\t' && *at <= '\r'))
        at++;
    negative = *at == '-';
    at += *at == '-' || *at == '+';
    if ((base == 0 || base == 16) && *at == '0' && (at[1] | 0x20) == 'x' && digit_of(at[2]) < 16) {
        at += 2;
        base = 16;
    }
    if (base == 0)
        base = *at == '0' ? 8 : 10;
    for (first = at; digit_of(*at) < base; at++) {
        const unsigned digit = (unsigned)digit_of(*at);

        too_large |= value > (max - digit) / (unsigned)base;
        value = value * (unsigned)base + digit;
    }
    if (end)
        *end = (char *)(at > first ? at : text);
    if (too_large)
        errno = ERANGE;
    return too_large ? max : negative ? -value : value;
}

unsigned long long strtoull(const char *text, char **end, int base)
{
    return parse(text, end, base, ULLONG_MAX);
}

unsigned long strtoul(const char *text, char **end, int base)
{
    return (unsigned long)parse(text, end, base, ULONG_MAX);
}

long strtol(const char *text, char **end, int base)
{
    return (long)parse(text, end, base, LONG_MAX);
}
