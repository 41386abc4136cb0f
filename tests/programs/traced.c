/* SPDX-License-Identifier: MIT */
/*
 * A program whose calls and costs are known, for traces.py: built as it is, and with
 * -finstrument-functions and tracer.c. Usage: traced [SECONDS]; each round makes the same calls,
 * one at least.
 *
 * spend(N) costs N units, which is what the test takes the function's own cost for. No function
 * does anything else that costs.
 */
#include <stdlib.h>
#include <time.h>

#define APART __attribute__((noinline, noclone))

static volatile unsigned sink;

/* A macro: a function would be in the trace. */
#define spend(units)                                                                               \
    do {                                                                                           \
        for (unsigned spent = 0; spent < (units)*2000u; spent++)                                   \
            sink += spent;                                                                         \
    } while (0)

static APART void leaf(void)
{
    spend(1);
}

static APART void heavy(void)
{
    spend(12);
}

/* Calls itself 5 times, with a leaf each. */
static APART void down(int depth)
{
    spend(2);
    leaf();
    if (depth > 0)
        down(depth - 1);
}

static APART void pong(int count);

static APART void ping(int count)
{
    spend(3);
    if (count > 0)
        pong(count - 1);
}

static APART void pong(int count)
{
    spend(4);
    heavy();
    if (count > 0)
        ping(count - 1);
}

/* Called by the C library, which is not in the trace. */
static APART int compare(const void *a, const void *b)
{
    spend(1);
    return *(const int *)a - *(const int *)b;
}

static APART void sort(void)
{
    int numbers[] = {5, 3, 9, 1, 7, 2};

    spend(2);
    qsort(numbers, sizeof(numbers) / sizeof(numbers[0]), sizeof(numbers[0]), compare);
}

static APART void by_pointer(void (*function)(void))
{
    spend(1);
    function();
    function();
}

static APART void twice(void)
{
    spend(5);
    by_pointer(leaf);
    by_pointer(heavy);
}

static APART void one_round(void)
{
    down(4);
    ping(5);
    sort();
    twice();
    for (int i = 0; i < 7; i++)
        leaf();
}

static APART double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
    double end = now() + (argc > 1 ? atof(argv[1]) : 0);

    do
        one_round();
    while (now() < end);
    return 0;
}
