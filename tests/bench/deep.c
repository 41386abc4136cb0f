/* SPDX-License-Identifier: MIT */
/*
 * The benchmark's target: threads that are deep in calls.
 *
 *     deep run THREADS DEPTH SECONDS       each thread works at a depth that fluctuates below DEPTH
 *     deep rest THREADS DEPTH FILE         all but one rest at DEPTH for ever; that one looks at
 *                                          the clock all the time and keeps in FILE the longest gap
 *                                          in its sight: the pause it was made to have
 *     deep plugins SECONDS DEPTH DIR COUNT calls go through DEPTH of DIR/plugin0.so and so on,
 *                                          COUNT copies of plugin.c
 *
 * Frames are small, so that 500 of them fit the 64 KiB of stack that perf copies. Prints "ready"
 * when all threads are where they are to be.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "plugin.h"

#define FLUCTUATION 24 /* frames by which the depth varies; less where that is half of it */
#define THREADS_MAX 1024
#define PLUGINS_MAX 4096
#define GAP_MIN_NS  2000 /* nothing shorter is a pause */

struct work {
    uint64_t (*leaf)(struct work *work, uint64_t x);
    unsigned index, depth, fluctuation;
    uint64_t end_ns;
    _Atomic uint64_t *gap_ns; /* rest: in the mapped file */
};

static volatile uint64_t sink;
static atomic_uint ready;

static uint64_t now_ns(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static inline uint64_t mix(uint64_t x)
{
    return x * 6364136223846793005u + 1442695040888963407u;
}

/* One of several functions that call each other in turn, with frames of different sizes. */
#define STEP(name, words, next)                                                                    \
    static __attribute__((noinline)) uint64_t name(struct work *work, unsigned left, uint64_t x)   \
    {                                                                                              \
        volatile uint64_t local[words] = {x};                                                      \
                                                                                                   \
        x = left > 0 ? next(work, left - 1, mix(x)) : work->leaf(work, x);                         \
        return x + local[0];                                                                       \
    }

static uint64_t parse(struct work *work, unsigned left, uint64_t x);
STEP(emit, 3, parse)
STEP(lower, 1, emit)
STEP(fold, 4, lower)
STEP(visit, 2, fold)
STEP(check, 1, visit)
STEP(resolve, 5, check)
STEP(parse, 2, resolve)

static __attribute__((noinline)) uint64_t compute(struct work *work, uint64_t x)
{
    volatile uint64_t local[4] = {work->index};

    for (unsigned i = 0; i < 2000; i++)
        local[i & 3] = x = mix(x);
    return x + local[1];
}

/* Some frames from here, again and again. */
static __attribute__((noinline)) uint64_t fluctuate(struct work *work, uint64_t x)
{
    struct work inner = *work;

    inner.leaf = compute;
    while (now_ns() < work->end_ns) {
        x = mix(x);
        x += parse(&inner, (unsigned)(x >> 33) % work->fluctuation, x);
    }
    return x;
}

static __attribute__((noinline)) uint64_t rest(struct work *work, uint64_t x)
{
    atomic_fetch_add(&ready, 1);
    for (;;)
        pause();
    return x + work->index;
}

/* How often the calling thread had to give way to another; a stop by a tracer does not count. */
static long preemptions(void)
{
    struct rusage usage;

    return getrusage(RUSAGE_THREAD, &usage) == 0 ? usage.ru_nivcsw : 0;
}

/* A gap in which another thread had the CPU is no pause. */
static __attribute__((noinline)) uint64_t watch(struct work *work, uint64_t x)
{
    long preempted = preemptions(), count;
    uint64_t last = now_ns();

    atomic_fetch_add(&ready, 1);
    for (;;) {
        uint64_t time = now_ns();

        if (time - last > GAP_MIN_NS) {
            count = preemptions();
            if (count == preempted &&
                time - last > atomic_load_explicit(work->gap_ns, memory_order_relaxed))
                atomic_store_explicit(work->gap_ns, time - last, memory_order_relaxed);
            preempted = count;
            time = now_ns();
        }
        last = time;
    }
    return x;
}

static void *run(void *arg)
{
    struct work *work = arg;

    sink = parse(work, work->depth, work->index);
    return arg;
}

static int start(struct work *works, unsigned count)
{
    pthread_t threads[THREADS_MAX];

    for (unsigned i = 0; i < count; i++) {
        works[i].index = i;
        if (pthread_create(&threads[i], NULL, run, &works[i]) != 0)
            return 1;
    }
    if (works[0].gap_ns) {
        while (atomic_load(&ready) < count)
            usleep(1000);
        puts("ready");
        fflush(stdout);
    }
    for (unsigned i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

static int run_working(unsigned count, unsigned depth, double seconds)
{
    static struct work works[THREADS_MAX];
    unsigned fluctuation = depth / 2 < FLUCTUATION ? depth / 2 : FLUCTUATION;
    uint64_t end_ns = now_ns() + (uint64_t)(seconds * 1e9);

    for (unsigned i = 0; i < count; i++)
        works[i] = (struct work){.leaf = fluctuate,
                                 .depth = depth - fluctuation,
                                 .fluctuation = fluctuation,
                                 .end_ns = end_ns};
    return start(works, count);
}

static int run_resting(unsigned count, unsigned depth, const char *path)
{
    static struct work works[THREADS_MAX];
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    void *map;

    if (fd < 0 || ftruncate(fd, sizeof(uint64_t)) != 0)
        return 1;
    map = mmap(NULL, sizeof(uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (map == MAP_FAILED)
        return 1;
    for (unsigned i = 0; i < count; i++)
        works[i] = (struct work){.leaf = i ? rest : watch, .depth = depth, .gap_ns = map};
    return start(works, count);
}

static uint64_t plugin_leaf(struct plugin_path *path, uint64_t x)
{
    for (unsigned i = 0; i < 2000; i++)
        x = mix(x);
    return x + path->count;
}

static plugin_call *load_plugin(const char *directory, unsigned number)
{
    char file[4096];
    void *handle;

    snprintf(file, sizeof(file), "%s/plugin%u.so", directory, number);
    handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    return handle ? (plugin_call *)(uintptr_t)dlsym(handle, "plugin_step") : NULL;
}

static int run_plugins(double seconds, unsigned depth, const char *directory, unsigned count)
{
    static plugin_call *calls[PLUGINS_MAX], *chosen[PLUGIN_DEPTH_MAX];
    struct plugin_path path = {.calls = chosen, .leaf = plugin_leaf};
    uint64_t x = 1, end_ns = now_ns() + (uint64_t)(seconds * 1e9);

    if (count < 1 || count > PLUGINS_MAX || depth > PLUGIN_DEPTH_MAX)
        return 2;
    for (unsigned i = 0; i < count; i++) {
        calls[i] = load_plugin(directory, i);
        if (!calls[i]) {
            fprintf(stderr, "deep: %s\n", dlerror());
            return 1;
        }
    }
    puts("ready");
    fflush(stdout);
    path.count = depth;
    while (now_ns() < end_ns) {
        for (unsigned i = 0; i < depth; i++) {
            x = mix(x);
            chosen[i] = calls[(x >> 33) % count];
        }
        for (unsigned i = 0; i < 100; i++)
            x += chosen[0](&path, 1, x);
    }
    sink = x;
    return 0;
}

int main(int argc, char **argv)
{
    unsigned first = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 0;
    unsigned depth = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 0;

    if (argc == 5 && !strcmp(argv[1], "run") && first >= 1 && first <= THREADS_MAX && depth > 1)
        return run_working(first, depth, strtod(argv[4], NULL));
    if (argc == 5 && !strcmp(argv[1], "rest") && first >= 1 && first <= THREADS_MAX)
        return run_resting(first, depth, argv[4]);
    if (argc == 6 && !strcmp(argv[1], "plugins") && depth >= 1)
        return run_plugins(strtod(argv[2], NULL), depth, argv[4],
                           (unsigned)strtoul(argv[5], NULL, 10));
    return 2;
}
