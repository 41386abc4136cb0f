/* SPDX-License-Identifier: MIT */
/*
 * recurse DEPTH CHANGING SECONDS: goes DEPTH calls deep once, then again and again returns from
 * CHANGING of them and goes as deep again, with other values in the frames.
 */
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

static long depth, changing;
static double seconds;
static struct timespec begin;
static volatile uint64_t sink;

static int over(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - begin.tv_sec) + 1e-9 * (double)(now.tv_nsec - begin.tv_nsec) >
           seconds;
}

static __attribute__((noinline)) void top(long left, uint64_t x)
{
    volatile uint64_t frame[8] = {x, x * 3, x * 5, x * 7, x * 11, x * 13, x * 17, x * 19};

    if (left > 1) {
        top(left - 1, x * 6364136223846793005 + 1);
    } else {
        for (volatile int i = 0; i < 2000; i++)
            ;
    }
    sink += frame[x % 8];
}

static __attribute__((noinline)) void bottom(long left)
{
    volatile uint64_t frame[8] = {(uint64_t)left};

    if (left > 1)
        bottom(left - 1);
    else
        for (uint64_t x = 1; !over(); x++)
            top(changing, x);
    sink += frame[0];
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    depth = strtol(argv[1], NULL, 10);
    changing = strtol(argv[2], NULL, 10);
    seconds = strtod(argv[3], NULL);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    bottom(depth > changing ? depth - changing : 1);
    return 0;
}
