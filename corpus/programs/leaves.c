/*
 * Functions of every shape of frame: none, made late, of callee-saved vector registers, large, very large.
 *
 * chain: leaf < middle < main < ..
 * chain: wrapped_callee < wrapped < wrapping < main < ..
 * chain: add_one < vectors < main < ..
 * chain: touch < large < main < ..
 * chain: touch_far < very_large < main < ..
 * chain: take_many < many < main < ..
 * chain -O0: .. < many < main < ..
 * chain -msave-restore: .. < middle < main < ..
 * chain -msave-restore: .. < wrapped < wrapping < main < ..
 * chain -msave-restore: .. < wrapping < main < ..
 * chain -msave-restore: .. < vectors < main < ..
 * chain -msave-restore: .. < large < main < ..
 * chain -msave-restore: .. < very_large < main < ..
 * chain -msave-restore: .. < many < main < ..
 * chain -msave-restore: .. < main < ..
 */
#include "common.h"

KEEP static unsigned leaf(unsigned value)
{
    return value * 3 + spin(2);
}

KEEP static unsigned middle(unsigned value)
{
    unsigned result = leaf(value);

    sink = result;
    return result + leaf(result);
}

KEEP static unsigned wrapped_callee(unsigned value)
{
    return spin(3) - value;
}

/* The frame is only needed on the way with the calls. */
KEEP static unsigned wrapped(unsigned value)
{
    unsigned kept;

    if (value & 1)
        return value + 1;
    kept = wrapped_callee(value);
    kept += wrapped_callee(kept + value);
    sink = kept;
    return kept + value;
}

KEEP static void wrapping(void)
{
    for (unsigned i = 0; i < 4; i++)
        sink = wrapped(i);
}

KEEP static double add_one(double value)
{
    return value + spin(2);
}

KEEP static double vectors(double a, double b)
{
    double c = add_one(a), d = add_one(b), e = add_one(a + b);

    sink = 1;
    return add_one(c * d) * e + add_one(d - e) * c + d;
}

KEEP static void touch(volatile char *bytes)
{
    bytes[0] = 1;
    bytes[2999] = (char)spin(2);
}

KEEP static void large(void)
{
    volatile char bytes[3000];

    touch(bytes);
    sink = (unsigned)bytes[0];
}

KEEP static void touch_far(volatile char *bytes)
{
    bytes[0] = 1;
    bytes[69999] = (char)spin(2);
}

KEEP static void very_large(unsigned value)
{
    volatile char bytes[70000];

    touch_far(bytes);
    sink = (unsigned)bytes[69999] + value;
}

struct many {
    unsigned words[9];
};

KEEP static unsigned take_many(unsigned a, unsigned b, unsigned c, unsigned d, unsigned e,
                               unsigned f, unsigned g, unsigned h, unsigned i, struct many many)
{
    return a + b * c + d - e * f + g - h + i + many.words[a & 7] + spin(2);
}

KEEP static unsigned many(unsigned value)
{
    struct many given = {{value, 2, 3, 4, 5, 6, 7, 8, 9}};
    unsigned result = take_many(1, 2, 3, 4, 5, 6, 7, 8, value, given);

    sink = result;
    return result + given.words[0];
}

int main(void)
{
    ready();
    for (unsigned i = 0; running; i++) {
        sink = middle(i);
        wrapping();
        sink = (unsigned)vectors(i & 15, 2);
        large();
        very_large(i);
        sink = many(i);
    }
}
