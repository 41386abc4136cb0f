/* SPDX-License-Identifier: MIT */
/*
 * vfprintf for agents, in place of the C library's, which formats floating point as well: on
 * machines without long double in hardware that is a tenth of an agent. The library's fprintf,
 * snprintf and so on go by this one. docs/decisions/0023-agents-print-no-fractions.md
 *
 * Conversions: %s %c %d %i %u %x %%, with width and precision of strings, `-`, `0`, l, ll, z.
 * Anything else is printed as "?": test_agent_printf.c and agents.sh see what is used.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifndef AGENT_VFPRINTF
#define AGENT_VFPRINTF vfprintf
#endif

int AGENT_VFPRINTF(FILE *file, const char *format, va_list args);

struct conversion {
    bool left, zeroes, has_precision;
    int width, precision;
    unsigned longs; /* 1: long or size_t; 2: long long */
    char kind;
};

static int read_number(const char **at, va_list *args)
{
    int number = 0;

    if (**at == '*') {
        ++*at;
        return va_arg(*args, int);
    }
    for (; **at >= '0' && **at <= '9'; ++*at)
        number = number * 10 + **at - '0';
    return number;
}

static struct conversion read_conversion(const char **at, va_list *args)
{
    struct conversion c = {.width = 0};

    for (;; ++*at) {
        if (**at == '-')
            c.left = true;
        else if (**at == '0')
            c.zeroes = true;
        else
            break;
    }
    c.width = read_number(at, args);
    if (**at == '.') {
        ++*at;
        c.has_precision = true;
        c.precision = read_number(at, args);
    }
    for (; **at == 'l' || **at == 'z'; ++*at)
        c.longs++;
    c.kind = **at;
    if (c.kind)
        ++*at;
    return c;
}

static int pad(FILE *file, char with, int count)
{
    for (int i = 0; i < count; i++)
        putc(with, file);
    return count > 0 ? count : 0;
}

static int put(FILE *file, const struct conversion *c, const char *text, size_t size)
{
    int count = (int)size, blanks = c->width - count;

    if (!c->left)
        count += pad(file, c->zeroes ? '0' : ' ', blanks);
    fwrite(text, 1, size, file);
    if (c->left)
        count += pad(file, ' ', blanks);
    return count;
}

static uint64_t next_number(const struct conversion *c, va_list *args)
{
    const bool is_signed = c->kind == 'd' || c->kind == 'i';

    if (c->longs >= 2)
        return va_arg(*args, unsigned long long);
    if (c->longs)
        return is_signed ? (uint64_t)va_arg(*args, long) : va_arg(*args, unsigned long);
    return is_signed ? (uint64_t)va_arg(*args, int) : va_arg(*args, unsigned);
}

static int put_number(FILE *file, const struct conversion *c, uint64_t number)
{
    const bool negative = c->kind != 'u' && c->kind != 'x' && (int64_t)number < 0;
    const unsigned base = c->kind == 'x' ? 16 : 10;
    char text[24];
    size_t at = sizeof(text);

    if (negative)
        number = -number;
    do
        text[--at] = "0123456789abcdef"[number % base];
    while (number /= base);
    if (negative)
        text[--at] = '-';
    return put(file, c, text + at, sizeof(text) - at);
}

static int put_string(FILE *file, const struct conversion *c, const char *text)
{
    return put(file, c, text,
               c->has_precision ? strnlen(text, (size_t)c->precision) : strlen(text));
}

int AGENT_VFPRINTF(FILE *file, const char *format, va_list given)
{
    va_list args;
    int count = 0;

    va_copy(args, given);
    while (*format) {
        const char *percent = strchr(format, '%');
        size_t plain = percent ? (size_t)(percent - format) : strlen(format);
        struct conversion c;
        char byte;

        fwrite(format, 1, plain, file);
        count += (int)plain;
        if (!percent)
            break;
        format = percent + 1;
        c = read_conversion(&format, &args);
        switch (c.kind) {
        case 's':
            count += put_string(file, &c, va_arg(args, const char *));
            break;
        case 'c':
            byte = (char)va_arg(args, int);
            count += put(file, &c, &byte, 1);
            break;
        case '%':
            count += put(file, &c, "%", 1);
            break;
        case 'd':
        case 'i':
        case 'u':
        case 'x':
            count += put_number(file, &c, next_number(&c, &args));
            break;
        default:
            count += put(file, &c, "?", 1);
        }
    }
    va_end(args);
    return ferror(file) ? -1 : count;
}
