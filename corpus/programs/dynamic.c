/*
 * Frames whose size is not in the code: alloca, arrays of variable length, variadic functions, aligned locals.
 *
 * chain: fill < with_alloca < main < ..
 * chain: fill_row < with_array < main < ..
 * chain: next_one < add_all < give_three < main < ..
 * chain: next_one < add_all < give_eleven < main < ..
 * chain: see_aligned < with_aligned < main < ..
 */
#include <alloca.h>
#include <stdarg.h>
#include <stdint.h>

#include "common.h"

KEEP static void fill(volatile unsigned *words, unsigned count)
{
    for (unsigned i = 0; i < count; i += 7)
        words[i] = spin(1);
}

KEEP static unsigned with_alloca(unsigned count)
{
    volatile unsigned *words = alloca(count * sizeof(*words));

    fill(words, count);
    sink = words[0];
    return words[0] + count;
}

KEEP static void fill_row(unsigned count, volatile unsigned row[])
{
    row[0] = spin(3);
    row[count - 1] = 2;
}

KEEP static unsigned with_array(unsigned count)
{
    unsigned result = 0;

    for (unsigned i = 1; i <= count; i += 3) {
        volatile unsigned row[i];

        fill_row(i, row);
        result += row[0];
    }
    sink = result;
    return result;
}

KEEP static unsigned next_one(va_list *list)
{
    return va_arg(*list, unsigned) + spin(1);
}

KEEP static unsigned add_all(unsigned count, ...)
{
    unsigned result = 0;
    va_list list;

    va_start(list, count);
    for (unsigned i = 0; i < count; i++)
        result += next_one(&list);
    va_end(list);
    return result;
}

KEEP static void give_three(void)
{
    sink = add_all(3, 1, 2, 3);
    sink = spin(1);
}

KEEP static void give_eleven(void)
{
    sink = add_all(11, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    sink = spin(1);
}

KEEP static uintptr_t see_aligned(volatile char *bytes)
{
    bytes[0] = (char)spin(2);
    return (uintptr_t)bytes;
}

KEEP static void with_aligned(void)
{
    _Alignas(128) volatile char bytes[256];

    sink = (unsigned)see_aligned(bytes) + (unsigned)bytes[0];
}

int main(void)
{
    ready();
    for (unsigned i = 0; running; i++) {
        sink = with_alloca(20 + (i & 63));
        sink = with_array(10 + (i & 7));
        give_three();
        give_eleven();
        with_aligned();
    }
}
