/* SPDX-License-Identifier: MIT */
#include "work.h"

#include <alloca.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

volatile unsigned sink;

/* Recursion: once, twice, mutual; its depth depends on the seed. */

static NOINLINE unsigned fib(unsigned n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

static NOINLINE unsigned descend(unsigned depth, unsigned (*at_bottom)(unsigned), unsigned value)
{
    if (!depth)
        return at_bottom(value % 6) + 1;
    unsigned below = descend(depth - 1, at_bottom, value * 3 + depth);
    sink += below;
    return below ^ depth;
}

static NOINLINE unsigned odd(unsigned n);

static NOINLINE unsigned even(unsigned n)
{
    return n ? odd(n - 1) + sink % 2 : 1;
}

static NOINLINE unsigned odd(unsigned n)
{
    return n ? even(n - 1) - sink % 3 : 0;
}

unsigned work_recursion(unsigned seed)
{
    return fib(seed % 5 + 2) + descend(seed % 7, fib, 3) + even(seed % 6);
}

/* Callbacks through tables: nodes of a tree with a function each. */

struct node {
    unsigned (*visit)(const struct node *node, unsigned value);
    const struct node *left, *right;
    unsigned value;
};

static NOINLINE unsigned walk(const struct node *node, unsigned value)
{
    return node ? node->visit(node, value) : value;
}

static unsigned visit_sum(const struct node *node, unsigned value)
{
    return walk(node->left, value + node->value) + walk(node->right, value);
}

static unsigned visit_mix(const struct node *node, unsigned value)
{
    unsigned left = walk(node->left, value * 5);
    unsigned right = walk(node->right, value ^ left);
    return left * 31 + right + node->value;
}

static unsigned visit_last(const struct node *node, unsigned value)
{
    return walk(node->right, value - node->value); /* a tail call */
}

static const struct node leaves[4] = {{visit_sum, NULL, NULL, 1},
                                      {visit_mix, NULL, NULL, 2},
                                      {visit_last, NULL, NULL, 3},
                                      {visit_mix, NULL, NULL, 4}};
static const struct node inner[2] = {{visit_mix, &leaves[0], &leaves[1], 5},
                                     {visit_sum, &leaves[2], &leaves[3], 6}};
static const struct node root = {visit_mix, &inner[0], &inner[1], 7};

unsigned work_tables(unsigned seed)
{
    return walk(&root, seed);
}

/* Tail calls: chains of functions that end in another's call, through a table, too. */

static unsigned tail_end(unsigned a, unsigned b)
{
    sink ^= a;
    return a + b;
}

static NOINLINE unsigned tail_direct(unsigned a, unsigned b)
{
    sink += fib(b % 3);
    return tail_end(a * 7, b);
}

static NOINLINE unsigned tail_saved(unsigned a, unsigned b)
{
    unsigned c = fib(a % 4), d = fib(b % 3);
    return tail_direct(a + c, b ^ d);
}

static unsigned (*const tails[])(unsigned, unsigned) = {tail_end, tail_direct, tail_saved};

unsigned work_tails(unsigned seed)
{
    unsigned value = tails[seed % 3](seed, seed + 1);
    return tails[value % 3](value, seed);
}

/* A jump table, and functions that return early or save registers in one branch only. */

static NOINLINE unsigned choose(unsigned kind, unsigned value)
{
    switch (kind) {
    case 0:
        return value + 1;
    case 1:
        return value * 3;
    case 2:
        return fib(value % 4) + value;
    case 3:
        return value ^ 0x55;
    case 4:
        return value >> 3;
    case 5:
        return fib(3) * value;
    case 6:
        return ~value;
    case 7:
        return tail_saved(value, 3);
    case 8:
        return value << 2;
    case 9:
        return value % 11;
    default:
        return 0;
    }
}

static NOINLINE unsigned shrink_wrapped(unsigned value)
{
    if (value % 4 == 0)
        return value + 9;
    unsigned a = choose(value % 10, value), b = choose(a % 10, value + a);
    return a + b * choose(b % 10, a);
}

unsigned work_switch(unsigned seed)
{
    unsigned value = seed;
    for (unsigned i = 0; i < 6; i++)
        value += shrink_wrapped(value + i);
    return value;
}

static NOINLINE unsigned add_all(unsigned count, ...)
{
    unsigned sum = 0;
    va_list args;
    va_start(args, count);
    while (count--)
        sum += fib(va_arg(args, unsigned) % 3);
    va_end(args);
    return sum;
}

unsigned work_variadic(unsigned seed)
{
    return add_all(3, seed, 1, 2) + add_all(7, 1, seed, 3, 4, 5, 6, 7);
}

/* Frames whose size is known at run time only. */

static NOINLINE unsigned fill(unsigned *words, unsigned count, unsigned value)
{
    for (unsigned i = 0; i < count; i++)
        words[i] = value + i * fib(i % 3);
    return words[count - 1];
}

static NOINLINE unsigned variable_array(unsigned count)
{
    unsigned words[count];
    unsigned last = fill(words, count, count);
    return last + words[0];
}

static NOINLINE unsigned by_alloca(unsigned count)
{
    unsigned sum = 0;
    for (unsigned i = 1; i < 3; i++) {
        unsigned *words = alloca(count * i * sizeof *words);
        sum += fill(words, count * i, sum);
    }
    return sum;
}

unsigned work_arrays(unsigned seed)
{
    return variable_array(seed % 9 + 1) + by_alloca(seed % 5 + 1);
}

/* Structs by value, results through a hidden pointer, arguments on the stack. */

struct wide {
    unsigned word[6];
};

static NOINLINE struct wide widen(unsigned value)
{
    struct wide wide;
    for (unsigned i = 0; i < 6; i++)
        wide.word[i] = value * (i + 1);
    return wide;
}

static NOINLINE unsigned narrow(struct wide a, unsigned b, unsigned c, struct wide d, unsigned e,
                                uint64_t f)
{
    uint64_t quotient = (f + a.word[5]) / (d.word[1] | 1);
    return (unsigned)quotient + a.word[0] + b / (c | 1) + e % 7;
}

unsigned work_wide(unsigned seed)
{
    struct wide a = widen(seed), b = widen(seed + 3);
    return narrow(a, seed, 5, b, 17, ((uint64_t)seed << 32) + 12345);
}

NOINLINE float work_float(float x)
{
    return x * 1.5f + 1.0f / (x + 3.0f);
}

static NOINLINE float float_sum(float a, float b, float c, unsigned count)
{
    float sum = a;
    for (unsigned i = 0; i < count; i++)
        sum += work_float(b) * c - (float)i;
    return sum + b;
}

static NOINLINE double double_step(double x, double y)
{
    return x * y + (x - 0.25) / (y + 2.0);
}

unsigned work_floats(unsigned seed)
{
    float sum = float_sum((float)seed, 2.0f, 0.5f, seed % 4 + 1);
    double more = double_step((double)sum, 1.25);
    return (unsigned)(int)(more > 1e6 ? 1e6 : more < -1e6 ? -1e6 : more);
}

static int compare(const void *left, const void *right)
{
    unsigned a = *(const unsigned *)left, b = *(const unsigned *)right;
    return (int)fib(a % 3) * 0 + (a > b) - (a < b);
}

unsigned work_sort(unsigned seed)
{
    unsigned words[12];
    for (unsigned i = 0; i < 12; i++)
        words[i] = (seed = seed * 1103515245u + 12345u) >> 16;
    qsort(words, 12, sizeof *words, compare);
    return words[seed % 12];
}

unsigned work_search(unsigned seed)
{
    static const unsigned sorted[8] = {1, 4, 9, 16, 25, 36, 49, 64};
    unsigned key = (seed % 8 + 1) * (seed % 8 + 1);
    const unsigned *found = bsearch(&key, sorted, 8, sizeof *sorted, compare);
    return found ? (unsigned)(found - sorted) : 99;
}

unsigned work_print(unsigned seed)
{
    char text[40];
    snprintf(text, sizeof text, "%u:%s:%x", seed, "board", seed * 77u);
    return (unsigned)strlen(text) + (unsigned)strtol(text, NULL, 10);
}

unsigned work_large(unsigned seed)
{
    volatile unsigned words[560];
    words[0] = seed;
    words[559] = fib(seed % 6);
    unsigned value = descend(2, fib, words[559] % 4);
    return value + words[0];
}

NOINLINE unsigned work_short(unsigned seed)
{
    return choose(seed % 10, fib(seed % 3));
}

unsigned work_some(unsigned number)
{
    static unsigned (*const works[])(unsigned) = {work_recursion, work_tables,   work_tails,
                                                  work_switch,    work_variadic, work_arrays,
                                                  work_wide,      work_floats};
    return works[number % 8](number);
}
