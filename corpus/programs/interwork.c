/*
 * Built twice, as A32 and as T32 (SIDE is 1 and 2), and linked: each function is called from the other instruction set, directly, through
 * pointers and by a jump.
 *
 * chain: leaf_2 < inner_1 < middle_2 < outer_1 < main < ..
 * chain: leaf_1 < inner_2 < middle_1 < outer_2 < main < ..
 * chain: (down_2 < down_1)*6 < go_down_2 < main < ..
 */
#include "common.h"

#define PASTE(a, b) a##_##b
#define NAMED(a, b) PASTE(a, b)
#if SIDE == 1
#define HERE(name)  NAMED(name, 1)
#define THERE(name) NAMED(name, 2)
#else
#define HERE(name)  NAMED(name, 2)
#define THERE(name) NAMED(name, 1)
#endif

unsigned leaf_1(unsigned value), leaf_2(unsigned value);
unsigned inner_1(unsigned value), inner_2(unsigned value);
unsigned middle_1(unsigned value), middle_2(unsigned value);
unsigned outer_1(unsigned value), outer_2(unsigned value);
unsigned down_1(unsigned depth), down_2(unsigned depth);
void go_down_2(void);

KEEP unsigned HERE(leaf)(unsigned value)
{
    return spin(3) + value;
}

KEEP unsigned HERE(inner)(unsigned value)
{
    volatile unsigned words[5];

    words[0] = THERE(leaf)(value);
    sink = words[0];
    return words[0] * 3;
}

KEEP unsigned HERE(middle)(unsigned value)
{
    unsigned (*volatile function)(unsigned) = THERE(inner);
    unsigned result = function(value + 1);

    sink = result;
    return result + value;
}

KEEP unsigned HERE(outer)(unsigned value)
{
    unsigned result = THERE(middle)(value);

    sink = result;
    return result ^ spin(2);
}

KEEP unsigned HERE(down)(unsigned depth)
{
    unsigned result = depth > 1 ? THERE(down)(depth - 1) : spin(2);

    sink = result;
    return result + depth;
}

#if SIDE == 2
KEEP void go_down_2(void)
{
    sink = down_1(12);
    sink = spin(1);
}
#else
int main(void)
{
    ready();
    for (unsigned i = 0; running; i++) {
        sink = outer_1(i);
        sink = outer_2(i);
        go_down_2();
    }
}
#endif
