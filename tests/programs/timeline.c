/* SPDX-License-Identifier: MIT */
/*
 * Phases that timeline.py knows: "worker" computes, sleeps, and waits for a lock that the first
 * thread holds. The times at which they begin and end are printed as the program saw them.
 *
 * usage: timeline [THREADS]   that many more threads, which sleep and compute in turn until the end
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define PHASE_NS 500000000u

pthread_mutex_t held_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t begin;
static volatile int ending;
volatile uint64_t sink;

static uint64_t now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void print_phase(const char *name, uint64_t start_ns)
{
    printf("%s %llu %llu\n", name, (unsigned long long)start_ns, (unsigned long long)now_ns());
}

__attribute__((noinline)) static void compute_things(uint64_t ns)
{
    uint64_t end_ns = now_ns() + ns;

    while (now_ns() < end_ns)
        for (int i = 0; i < 20000; i++)
            sink += (uint64_t)i * sink;
}

__attribute__((noinline)) static void sleep_a_while(uint64_t ns)
{
    nanosleep(&(struct timespec){.tv_nsec = (long)ns}, NULL);
}

__attribute__((noinline)) static void take_the_lock(void)
{
    pthread_mutex_lock(&held_lock);
    pthread_mutex_unlock(&held_lock);
}

static void *worker(void *argument)
{
    uint64_t start_ns;

    pthread_setname_np(pthread_self(), "worker <&\"");
    pthread_barrier_wait(&begin);
    start_ns = now_ns();
    compute_things(PHASE_NS);
    print_phase("compute", start_ns);
    start_ns = now_ns();
    sleep_a_while(PHASE_NS);
    print_phase("sleep", start_ns);
    start_ns = now_ns();
    take_the_lock();
    print_phase("lock", start_ns);
    return argument;
}

static void *pool(void *argument)
{
    pthread_barrier_wait(&begin);
    while (!ending) {
        compute_things(100000);
        sleep_a_while(20000000);
    }
    return argument;
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 0;
    pthread_t thread, *others = calloc((size_t)count + 1, sizeof(*others));
    pthread_attr_t attributes;

    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 65536);
    pthread_barrier_init(&begin, NULL, (unsigned)count + 2);
    pthread_mutex_lock(&held_lock);
    pthread_create(&thread, NULL, worker, NULL);
    for (int i = 0; i < count; i++)
        if (pthread_create(&others[i], &attributes, pool, NULL) != 0)
            return 1;
    pthread_barrier_wait(&begin);
    sleep_a_while(PHASE_NS);
    sleep_a_while(PHASE_NS);
    sleep_a_while(PHASE_NS);
    pthread_mutex_unlock(&held_lock);
    pthread_join(thread, NULL);
    ending = 1;
    for (int i = 0; i < count; i++)
        pthread_join(others[i], NULL);
    free(others);
    return 0;
}
