/*
 * Recursion: of one function, of two functions in turn, and of one whose frame has arrays.
 *
 * chain: bottom < deep*60 < go_deep < main < ..
 * chain: turning < (odd < even)*20 < go_turning < main < ..
 * chain: wide_bottom < wide*12 < go_wide < main < ..
 */
#include "common.h"

#define DEEP  60
#define TURNS 40
#define WIDE  12

KEEP static unsigned even(unsigned depth);

KEEP static unsigned bottom(unsigned value)
{
    return spin(4) + value;
}

KEEP static unsigned deep(unsigned depth)
{
    unsigned result = depth > 1 ? deep(depth - 1) : bottom(depth);

    sink = result;
    return result + depth;
}

KEEP static void go_deep(void)
{
    sink = deep(DEEP);
    sink = spin(2);
}

KEEP static unsigned turning(unsigned value)
{
    return spin(7) ^ value;
}

KEEP static unsigned odd(unsigned depth)
{
    unsigned result = depth > 1 ? even(depth - 1) : turning(depth);

    sink = result + spin(1);
    return result + 3;
}

KEEP static unsigned even(unsigned depth)
{
    unsigned before = sink;
    unsigned result = odd(depth - 1);

    sink = result + before;
    return result * 3 + before;
}

KEEP static void go_turning(void)
{
    sink = even(TURNS);
    sink = spin(2);
}

KEEP static unsigned wide_bottom(volatile unsigned *words)
{
    words[1] = spin(3);
    return words[0];
}

KEEP static unsigned wide(unsigned depth)
{
    volatile unsigned words[40];
    unsigned result;

    words[0] = depth;
    result = depth > 1 ? wide(depth - 1) : wide_bottom(words);
    sink = result + words[0];
    return result + depth;
}

KEEP static void go_wide(void)
{
    sink = wide(WIDE);
    sink = spin(2);
}

int main(void)
{
    ready();
    while (running) {
        go_deep();
        go_turning();
        go_wide();
    }
}
