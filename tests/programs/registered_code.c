/* SPDX-License-Identifier: MIT */
/*
 * What registered.c runs as code that was made at run time: linked at an address of its own. The
 * outer function's frame has a size that is not known before it runs.
 */
typedef unsigned work_fn(unsigned n);

static __attribute__((noinline)) unsigned made_inner(work_fn *work, unsigned n)
{
    volatile unsigned pad[20];

    pad[n % 20] = n;
    return work(n) + pad[n % 20];
}

unsigned made_outer(work_fn *work, unsigned n);

unsigned made_outer(work_fn *work, unsigned n)
{
    volatile unsigned pad[n % 64 + 1];

    pad[n % 64] = n;
    return made_inner(work, n) + pad[n % 64];
}
