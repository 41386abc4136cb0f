/* SPDX-License-Identifier: MIT */
/*
 * naps MS MS MS: three functions in turn sleep so long, at one place of one function they all call,
 * at one depth of the stack. Says "ready"; at SIGTERM, how long each has slept, in nanoseconds.
 */
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static volatile sig_atomic_t is_over;
static uint64_t slept[3];

static void finish(int signal)
{
    (void)signal;
    is_over = 1;
}

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

__attribute__((noinline)) static void nap(uint64_t ns)
{
    struct timespec rest = {.tv_sec = (time_t)(ns / 1000000000u),
                            .tv_nsec = (long)(ns % 1000000000u)};

    while (nanosleep(&rest, &rest) != 0 && errno == EINTR && !is_over)
        ;
    __asm__ volatile("" ::: "memory");
}

#define NAP(name, index)                                                                           \
    __attribute__((noinline)) static void name(uint64_t ns)                                        \
    {                                                                                              \
        uint64_t begin_ns = now_ns();                                                              \
                                                                                                   \
        nap(ns);                                                                                   \
        slept[index] += now_ns() - begin_ns;                                                       \
    }

NAP(first, 0)
NAP(second, 1)
NAP(third, 2)

int main(int argc, char **argv)
{
    uint64_t ns[3];

    for (int i = 0; i < 3; i++)
        ns[i] = argc == 4 ? strtoull(argv[1 + i], NULL, 10) * 1000000u : 0;
    signal(SIGTERM, finish);
    puts("ready");
    fflush(stdout);
    while (!is_over) {
        first(ns[0]);
        second(ns[1]);
        third(ns[2]);
    }
    printf("first %llu\nsecond %llu\nthird %llu\n", (unsigned long long)slept[0],
           (unsigned long long)slept[1], (unsigned long long)slept[2]);
    return 0;
}
