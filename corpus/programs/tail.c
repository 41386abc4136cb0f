/*
 * Calls that do not come back: jumps instead of calls, and functions that do not return. Compilers leave out that these
 * save their return address where nobody asked for tables: then it is lost at the first call, and the chain has to end there, marked `?`.
 * With -msave-restore functions that save registers end with a jump to a common end, and jump nowhere else.
 *
 * chain !-O0,!-msave-restore: jumped_to < caller < main < ..
 * chain !-O0,!-msave-restore: jumper < caller < main < ..
 * chain -O0: jumped_to < jumper < caller < main < ..
 * chain !-O0,!-msave-restore: last < first_of_three < main < ..
 * chain -O0: last < second < first < first_of_three < main < ..
 * chain !-O0,!-msave-restore: second < first_of_three < main < ..
 * chain !-O0,!-msave-restore: first < first_of_three < main < ..
 * chain -msave-restore: jumped_to < jumper < caller < main < ..
 * chain -msave-restore: .. < jumper < caller < main < ..
 * chain -msave-restore: .. < caller < main < ..
 * chain -msave-restore: last < second < first < first_of_three < main < ..
 * chain -msave-restore: .. < second < first < first_of_three < main < ..
 * chain -msave-restore: .. < first < first_of_three < main < ..
 * chain -msave-restore: .. < first_of_three < main < ..
 * chain -msave-restore: .. < for_ever < fails < tries < ?
 * chain -msave-restore: .. < fails < tries < ?
 * chain -msave-restore: .. < tries < thread < ..
 * chain gcc,!-msave-restore: step < for_ever < fails < tries < thread < ..
 * chain -msave-restore: step < for_ever < fails < tries < ?
 * chain clang,-O0: step < for_ever < fails < tries < thread < ..
 * chain clang,!-O0,arm: step < for_ever < ?
 * chain clang,!-O0,a64: step < for_ever < fails < ?
 * chain: .. < main < ..
 */
#include <pthread.h>
#include <stdlib.h>

#include "common.h"

KEEP static unsigned jumped_to(unsigned value)
{
    return spin(4) + value;
}

KEEP static unsigned jumper(unsigned value)
{
    return jumped_to(value + spin(1));
}

KEEP static void caller(unsigned value)
{
    sink = jumper(value);
    sink = spin(1);
}

KEEP static unsigned last(unsigned a, unsigned b)
{
    return a * b + spin(3);
}

KEEP static unsigned second(unsigned a)
{
    return last(a, a + 1);
}

KEEP static unsigned first(unsigned a, unsigned b)
{
    return second(a ^ b ^ spin(1));
}

KEEP static void first_of_three(unsigned value)
{
    sink = first(value, 3);
    sink = spin(1);
}

KEEP static unsigned step(unsigned value)
{
    return spin(3) + value;
}

_Noreturn KEEP static void for_ever(unsigned value)
{
    for (;;)
        sink = step(value);
}

/* The call is the last instruction: its return address is the next function's. */
_Noreturn KEEP static void fails(unsigned value)
{
    volatile unsigned words[4];

    words[0] = value;
    sink = words[0];
    for_ever(words[0]);
}

KEEP static void tries(unsigned value)
{
    if (value != 5)
        fails(value);
    sink = spin(1);
}

KEEP static void *thread(void *arg)
{
    tries(sink);
    sink = spin(1);
    return arg;
}

int main(void)
{
    pthread_t id;

    if (pthread_create(&id, NULL, thread, NULL))
        abort();
    ready();
    for (unsigned i = 0; running; i++) {
        caller(i);
        first_of_three(i);
    }
}
