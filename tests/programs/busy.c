/* SPDX-License-Identifier: MIT */
/* Calls one function from another, for ever; each leaves a stack of 20,000 bytes changed. */
#include <stdlib.h>
#include <string.h>

static volatile unsigned sink;

__attribute__((noinline)) static void innermost(void)
{
    for (int i = 0; i < 1000; i++)
        sink++;
}

__attribute__((noinline)) static void outer(unsigned n)
{
    char frame[20000];

    memset(frame, (int)n, sizeof(frame));
    sink += (unsigned)frame[n % sizeof(frame)];
    innermost();
    sink += (unsigned)frame[1];
}

int main(void)
{
    for (unsigned n = 0;; n++)
        outer(n);
}
