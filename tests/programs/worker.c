/* SPDX-License-Identifier: MIT */
/*
 * Computes a checksum with several threads, recursion and allocation: what a capture must not
 * disturb.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define THREADS 4

static unsigned long rounds;

static __attribute__((noinline)) uint64_t recurse(unsigned depth, uint64_t x)
{
    volatile uint64_t local[4] = {x, x + 1, x ^ depth, depth};

    if (depth)
        x = recurse(depth - 1, x * UINT64_C(6364136223846793005) + 1442695040888963407);
    return x + local[0] * 3 + local[2];
}

static void *work(void *arg)
{
    uint64_t sum = (uint64_t)(uintptr_t)arg;

    for (unsigned long i = 0; i < rounds; i++) {
        sum = recurse(50, sum);
        if (i % 64 == 0)
            usleep(1); /* system calls, too, must not be disturbed */
    }
    return (void *)(uintptr_t)sum;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    uint64_t sum = 0;

    rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
    for (uintptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)(i + 1));
    for (unsigned i = 0; i < THREADS; i++) {
        void *result;
        pthread_join(threads[i], &result);
        sum = sum * 31 + (uintptr_t)result;
    }
    printf("%016" PRIx64 "\n", sum);
    return 42;
}
