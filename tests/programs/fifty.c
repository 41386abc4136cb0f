/* SPDX-License-Identifier: MIT */
/*
 * Threads that call down to innermost() and rest.
 *
 * usage: fifty [THREADS [MICROSECONDS-OF-REST]]
 */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static volatile unsigned sink;
static unsigned rest = 2000;

__attribute__((noinline)) static void innermost(void)
{
    for (unsigned i = 0; i < 20000; i++)
        sink += i;
}

__attribute__((noinline)) static void descend(unsigned depth)
{
    if (depth)
        descend(depth - 1);
    else
        innermost();
    sink++;
}

static void *work(void *arg)
{
    for (;;) {
        descend(5);
        usleep(rest);
    }
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t thread;

    if (argc > 2)
        rest = (unsigned)atoi(argv[2]);
    for (int i = 1; argc > 1 && i < atoi(argv[1]); i++)
        pthread_create(&thread, NULL, work, NULL);
    work(NULL);
}
