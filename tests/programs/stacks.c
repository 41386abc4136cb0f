/* SPDX-License-Identifier: MIT */
/*
 * Threads whose stacks lie in many ways, for stacks.py: in mappings of their own, side by side
 * without guard pages, side by side in memory that the program gives. Each prints how far it is
 * from its start routine to its innermost function.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define EACH       4
#define SMALL_SIZE (256u << 10)
#define POOL_SIZE  (512u << 10)

struct plan {
    const char *name;
    int depth;
};

static pthread_barrier_t ready;

__attribute__((noinline)) static int recurse(const struct plan *plan, uintptr_t begin, int left)
{
    volatile char room[1000];

    memset((char *)room, left, sizeof(room));
    if (left)
        return recurse(plan, begin, left - 1) + room[left];
    printf("%s %d %lu\n", plan->name, gettid(), (unsigned long)(begin - (uintptr_t)room));
    pthread_barrier_wait(&ready);
    for (;;)
        usleep(1000);
    return room[0];
}

static void *run(void *argument)
{
    const struct plan *plan = argument;

    return (void *)(intptr_t)recurse(plan, (uintptr_t)__builtin_frame_address(0), plan->depth);
}

static void start(const pthread_attr_t *attributes, struct plan *plan)
{
    pthread_t thread;

    if (pthread_create(&thread, attributes, run, plan) != 0)
        _exit(2);
}

int main(void)
{
    static struct plan own = {"own", 10}, unguarded = {"unguarded", 20}, pool = {"pool", 30};
    char *memory =
        mmap(NULL, EACH * POOL_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_attr_t attributes;

    pthread_barrier_init(&ready, NULL, 3 * EACH + 1);
    for (int i = 0; i < EACH; i++) {
        pthread_attr_init(&attributes);
        pthread_attr_setstacksize(&attributes, SMALL_SIZE);
        start(&attributes, &own);
        pthread_attr_setstack(&attributes, memory + i * POOL_SIZE, POOL_SIZE);
        start(&attributes, &pool);
    }
    for (int i = 0; i < EACH; i++) { /* after one another, so that they are neighbours */
        pthread_attr_init(&attributes);
        pthread_attr_setstacksize(&attributes, SMALL_SIZE);
        pthread_attr_setguardsize(&attributes, 0);
        start(&attributes, &unguarded);
    }
    pthread_barrier_wait(&ready);
    printf("ready\n");
    fflush(stdout);
    for (;;)
        pause();
}
