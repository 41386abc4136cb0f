/*
 * Calls through pointers: a table, a callback, callbacks that libc calls.
 *
 * chain: double_it < apply < use_table < main < ..
 * chain: square_it < apply < use_table < main < ..
 * chain: negate_it < apply < use_table < main < ..
 * chain: less < compare < .. < sort < main < ..
 * chain: match < .. < search < main < ..
 * chain: chosen < by_case < main < ..
 */
#include <stdlib.h>

#include "common.h"

#define COUNT 24

static unsigned values[COUNT];

KEEP static unsigned double_it(unsigned value)
{
    return value * 2 + spin(1);
}

KEEP static unsigned square_it(unsigned value)
{
    return value * value + spin(2);
}

KEEP static unsigned negate_it(unsigned value)
{
    return spin(3) - value;
}

static unsigned (*const table[])(unsigned) = {double_it, square_it, negate_it};

KEEP static unsigned apply(unsigned (*function)(unsigned), unsigned value)
{
    unsigned result = function(value);

    sink = result;
    return result + 1;
}

KEEP static void use_table(unsigned value)
{
    for (unsigned i = 0; i < 3; i++)
        sink = apply(table[i], value);
}

KEEP static int less(unsigned a, unsigned b)
{
    return a < b ? -1 : a > b;
}

KEEP static int compare(const void *a, const void *b)
{
    int result = less(*(const unsigned *)a, *(const unsigned *)b);

    sink = (unsigned)result;
    return result;
}

KEEP static void sort(unsigned seed)
{
    for (unsigned i = 0; i < COUNT; i++)
        values[i] = seed = seed * 1103515245 + 12345;
    qsort(values, COUNT, sizeof(values[0]), compare);
    sink = values[0];
}

KEEP static int match(const void *a, const void *b)
{
    sink = spin(1);
    return *(const unsigned *)a < *(const unsigned *)b
               ? -1
               : *(const unsigned *)a > *(const unsigned *)b;
}

/* Through a pointer, lest the header's inline function be taken. */
static void *(*volatile searching)(const void *, const void *, size_t, size_t,
                                   int (*)(const void *, const void *)) = bsearch;

KEEP static void search(void)
{
    const unsigned *found = searching(&values[3], values, COUNT, sizeof(values[0]), match);

    sink = found ? *found : 0;
}

KEEP static unsigned chosen(unsigned value)
{
    return spin(2) + value;
}

KEEP static unsigned by_case(unsigned value)
{
    unsigned result = 1;

    switch (value & 7) {
    case 0:
        result = chosen(1);
        break;
    case 1:
        result = chosen(value) * 3;
        break;
    case 2:
        sink = chosen(4);
        break;
    case 3:
        return chosen(value + 5) + 2;
    case 4:
        result = chosen(value) - chosen(7);
        break;
    case 5:
        result = spin(2);
        break;
    case 6:
        sink = value;
        return 6;
    }
    sink = result;
    return result + value;
}

int main(void)
{
    ready();
    for (unsigned i = 0; running; i++) {
        use_table(i);
        sort(i);
        search();
        sink = by_case(i);
    }
}
