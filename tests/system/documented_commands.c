/* SPDX-License-Identifier: MIT */
/*
 * The `./app` of README.md and docs/cookbook.md, for documented_commands.py: two workers that
 * compute and one that waits; with -DLIBRARY its libfoo.so. Ends after two seconds, with an
 * argument "forever" not at all.
 */
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

uint64_t foo(uint64_t value);

#ifdef LIBRARY

uint64_t foo(uint64_t value)
{
    for (unsigned i = 0; i < 200000; i++)
        value = (value ^ value >> 29) * UINT64_C(0x9e3779b97f4a7c15);
    return value;
}

#else

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile uint64_t sum;

__attribute__((noinline)) static void parse_line(uint64_t number)
{
    sum += foo(number);
}

enum kind { READ, WRITE, SCAN };

__attribute__((noinline)) static void handle(uint64_t number, enum kind kind)
{
    parse_line(number);
    pthread_mutex_lock(&lock);
    parse_line(number + 1);
    pthread_mutex_unlock(&lock);
    sum += (uint64_t)kind;
}

static void *worker(void *unused)
{
    for (uint64_t i = 0;; i++) {
        handle(i, (enum kind)(i % 3));
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    }
    return unused;
}

static void *waiter(void *unused)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
        pthread_mutex_unlock(&lock);
        nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    }
    return unused;
}

int main(int argc, char **argv)
{
    void *(*const run[])(void *) = {worker, worker, waiter};
    static const char *const names[] = {"worker", "worker", "waiter"};

    for (unsigned i = 0; i < 3; i++) {
        pthread_t thread;

        if (pthread_create(&thread, NULL, run[i], NULL) != 0)
            return 1;
        pthread_setname_np(thread, names[i]);
    }
    if (argc > 1 && strcmp(argv[1], "forever") == 0)
        for (;;)
            pause();
    sleep(2);
    return 0;
}

#endif
