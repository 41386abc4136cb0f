/* SPDX-License-Identifier: MIT */
/*
 * For tests/system/one_function.py: functions that are inlined into main and called through a
 * pointer, of the kinds that other units cannot call, so that gcc keeps their linkage names out of
 * DWARF. Each burns as much time here as there.
 */
static volatile unsigned long sink;

/*
 * A chain of multiplications in registers, as neither the compiler nor the CPU can shorten: through
 * memory, a CPU that renames it is faster at some places than at others.
 */
static inline __attribute__((always_inline)) void burn(unsigned long n, unsigned long factor)
{
    unsigned long product = sink;

    for (unsigned long i = 0; i < n; i++) {
        __asm__("" : "+r"(factor));
        product = product * factor + i;
    }
    sink = product;
}

static void plain(unsigned long n)
{
    burn(n, 3);
}

namespace
{
namespace inner
{
void hidden(unsigned long n)
{
    burn(n, 5);
}
} // namespace inner

struct Worker {
    unsigned long factor;
    inline __attribute__((always_inline)) void step(unsigned long n) const
    {
        burn(n, factor);
    }
};
} // namespace

template <class T> static void twice(unsigned long n)
{
    burn(n, sizeof(T));
}

typedef void (*function)(unsigned long);
static function volatile table[] = {plain, inner::hidden, twice<int>, twice<char>};

int main(int argc, char **)
{
    const unsigned long n = 3000000;
    auto first = [&](unsigned long m) { burn(m, (unsigned long)argc + 6); };
    auto second = [](unsigned long m) { burn(m, 13); };

    for (int round = 0; round < 20; round++) {
        for (function f : table)
            f(n);
        plain(n);
        inner::hidden(n);
        twice<int>(n);
        twice<char>(n);
        Worker{17}.step(n);
        first(n);
        second(n);
    }
    return 0;
}
