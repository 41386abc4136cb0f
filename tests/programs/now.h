/* SPDX-License-Identifier: MIT */
#ifndef TESTS_PROGRAMS_NOW_H
#define TESTS_PROGRAMS_NOW_H

#include <time.h>

/* Seconds, from any beginning on. */
static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

#endif
