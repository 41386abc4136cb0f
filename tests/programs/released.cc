/* SPDX-License-Identifier: MIT */
/*
 * For tests/system/one_function.py: a program and its library, in two releases. Of what the second
 * one calls with one argument only gcc makes a clone.
 */
#if RELEASE == 1
#define ATTRIBUTES __attribute__((noinline, noclone))
#else
#define ATTRIBUTES __attribute__((noinline))
#endif

extern volatile unsigned long sink;
void library_work(unsigned long n);

#ifdef LIBRARY
volatile unsigned long sink;

void library_work(unsigned long n)
{
    for (unsigned long i = 0; i < n; i++)
        sink = sink * 3 + i;
}
#else
static ATTRIBUTES unsigned long work(unsigned long n, unsigned long factor)
{
    for (unsigned long i = 0; i < n; i++)
        sink = sink * factor + i;
    return sink;
}

int main()
{
    for (int round = 0; round < 200; round++) {
        work(1000000 + sink % 2, 7);
        library_work(1000000);
    }
    return 0;
}
#endif
