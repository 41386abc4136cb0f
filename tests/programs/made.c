/* SPDX-License-Identifier: MIT */
/*
 * Code that is made at run time: two functions are copied to anonymous memory, and are busy there.
 *
 * usage: made SECONDS [MAP [moving]]
 *   SECONDS   how long
 *   MAP       tells their names in this perf map
 *   moving    copies them to another place now and then, and tells that, too
 *
 * Chains of running threads are, inner to outer:
 *
 *     busy < made inner < made outer < enter < main
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "now.h"

#define MADE __attribute__((section("made_code"), noinline, used))

typedef unsigned work_fn(unsigned n);
typedef unsigned inner_fn(work_fn *work, unsigned n);
typedef unsigned outer_fn(inner_fn *inner, work_fn *work, unsigned n);

extern const char __start_made_code[], __stop_made_code[];

MADE unsigned inner(work_fn *work, unsigned n)
{
    volatile unsigned pad[20];

    pad[n % 20] = n;
    return work(n) + pad[n % 20];
}

MADE unsigned outer(inner_fn *next, work_fn *work, unsigned n)
{
    volatile unsigned pad[50];

    pad[n % 50] = n;
    return next(work, n) + pad[n % 50];
}

static __attribute__((noinline)) unsigned busy(unsigned n)
{
    for (volatile unsigned i = 0; i < 100000; i++)
        n += i;
    return n;
}

static const char *copy;

/* The functions lie in the section in this order. */
static void copy_code(FILE *map)
{
    const size_t size = (size_t)(__stop_made_code - __start_made_code);
    const size_t at = (size_t)((const char *)outer - __start_made_code);
    char *code =
        mmap(NULL, size, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (code == MAP_FAILED)
        exit(1);
    memcpy(code, __start_made_code, size);
    copy = code;
    if (!map)
        return;
    fprintf(map, "%zx %zx made inner\n%zx %zx made outer\n", (size_t)code, at, (size_t)code + at,
            size - at);
    fflush(map);
}

static __attribute__((noinline)) unsigned enter(unsigned n)
{
    outer_fn *made_outer = (outer_fn *)(copy + ((const char *)outer - __start_made_code));
    inner_fn *made_inner = (inner_fn *)(copy + ((const char *)inner - __start_made_code));

    return made_outer(made_inner, busy, n) + 1;
}

int main(int argc, char **argv)
{
    FILE *map = argc > 2 ? fopen(argv[2], "w") : NULL;
    double begin = now(), moved = begin;
    unsigned n = 0;

    if (argc < 2 || (argc > 2 && !map))
        return 1;
    copy_code(map);
    puts("ready");
    fflush(stdout);
    while (now() < begin + atof(argv[1])) {
        n = enter(n);
        if (argc > 3 && now() > moved + 0.1) {
            moved = now();
            copy_code(map);
        }
    }
    return n == 1;
}
