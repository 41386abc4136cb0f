/* SPDX-License-Identifier: MIT */
/*
 * Threads that handle requests of several kinds in one function, whose work is in functions that
 * all kinds share: what it is for only values tell. How much CPU time each kind takes is counted.
 *
 * usage: requests THREADS SECONDS    "ready" when all run; at the end a line for each kind, table
 *                                    and range of sizes, "kind READ CPU-NS REQUESTS", and "clock
 *                                    clock CPU-NS REQUESTS" of what looking at the clock takes
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define THREADS_MAX 64
#define TURNS       1500 /* of a loop, for each unit of work */
#define SIZE_BITS   12

enum kind { READ, WRITE, SCAN, COMMIT, KINDS };
static const char *const kinds[KINDS] = {"READ", "WRITE", "SCAN", "COMMIT"};
/* Of ten requests so many; times their work that is 50, 30, 15 and 5 % of all. */
static const unsigned numbers[KINDS] = {4, 3, 2, 1};
static const unsigned works[KINDS] = {10, 8, 6, 4};

enum { TABLES = 3 };
static const char *const tables[TABLES] = {"users", "orders", "lines"};
static const unsigned table_numbers[TABLES] = {6, 3, 1}; /* of ten */

struct request {
    const char *table;
    struct {
        int32_t priority; /* -2 to 2 */
        uint32_t size;    /* below 1 << SIZE_BITS, as many in each range of powers of two */
    } head;
};

struct count {
    uint64_t cpu_ns, requests;
};

struct counts {
    struct count kind[KINDS], table[TABLES], size[SIZE_BITS + 1];
    uint64_t sum; /* of what was computed */
    enum kind last;
};

static struct counts counts[THREADS_MAX];
static volatile uint64_t end_ns = UINT64_MAX;
static pthread_barrier_t begun;

static uint64_t now(clockid_t clock)
{
    struct timespec time;

    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void add(struct count *count, uint64_t cpu_ns)
{
    count->cpu_ns += cpu_ns;
    count->requests++;
}

static unsigned bits_of(uint32_t size)
{
    return size ? 32 - (unsigned)__builtin_clz(size) : 0;
}

static __attribute__((noinline)) uint64_t parse(const char *text, unsigned work)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < work * TURNS / 2; i++) {
        sum = sum * 31 + (unsigned char)text[i % 4];
        __asm__ volatile("" : "+r"(sum));
    }
    return sum;
}

static __attribute__((noinline)) uint64_t look_up(uint32_t key, unsigned work)
{
    uint64_t sum = key;

    for (unsigned i = 0; i < work * TURNS / 2; i++) {
        sum = (sum ^ sum >> 7) * 0x9e3779b9;
        __asm__ volatile("" : "+r"(sum));
    }
    return sum;
}

static __attribute__((noinline)) void handle(struct request *request, enum kind kind,
                                             unsigned table, struct counts *to)
{
    const uint64_t begin_ns = now(CLOCK_THREAD_CPUTIME_ID);
    uint64_t cpu_ns;

    to->sum += parse(request->table, works[kind]);
    to->sum += look_up(request->head.size, works[kind]);
    cpu_ns = now(CLOCK_THREAD_CPUTIME_ID) - begin_ns;
    add(&to->kind[kind], cpu_ns);
    add(&to->table[table], cpu_ns);
    add(&to->size[bits_of(request->head.size)], cpu_ns);
    to->last = kind; /* is what it was: else the compiler keeps some product of it alone */
}

/* Of `count` outcomes one, each of which comes `numbers` times in ten. */
static unsigned choose(uint64_t random, const unsigned *of, unsigned count)
{
    unsigned left = (unsigned)(random % 10);

    for (unsigned i = 0; i < count; i++) {
        if (left < of[i])
            return i;
        left -= of[i];
    }
    return 0;
}

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state >> 11;
}

static void *work(void *arg)
{
    unsigned self = (unsigned)(uintptr_t)arg;
    uint64_t random = 88172645463325252u + self;

    pthread_barrier_wait(&begun);
    while (now(CLOCK_MONOTONIC) < end_ns) {
        struct request request;
        unsigned bits = (unsigned)(next_random(&random) % (SIZE_BITS + 1));
        unsigned table = choose(next_random(&random), table_numbers, TABLES);
        enum kind kind = (enum kind)choose(next_random(&random), numbers, KINDS);

        request.table = tables[table];
        request.head.priority = (int32_t)(next_random(&random) % 5) - 2;
        request.head.size = bits ? 1u << (bits - 1) : 0;
        if (bits)
            request.head.size += (uint32_t)(next_random(&random) % request.head.size);
        handle(&request, kind, table, &counts[self]);
    }
    return NULL;
}

static void tell(const char *what, const char *which, const struct count *first, unsigned threads)
{
    struct count sum = {0, 0};

    for (unsigned i = 0; i < threads; i++) {
        const struct count *count =
            (const struct count *)((const char *)first + i * sizeof(struct counts));

        sum.cpu_ns += count->cpu_ns;
        sum.requests += count->requests;
    }
    printf("%s %s %llu %llu\n", what, which, (unsigned long long)sum.cpu_ns,
           (unsigned long long)sum.requests);
}

static void tell_clock(void)
{
    uint64_t begin_ns = now(CLOCK_THREAD_CPUTIME_ID), end = begin_ns;

    for (int i = 0; i < 1000; i++)
        end = now(CLOCK_THREAD_CPUTIME_ID);
    printf("clock clock %llu 1000\n", (unsigned long long)(end - begin_ns));
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS_MAX];
    unsigned count;
    char range[32];

    if (argc != 3)
        return 2;
    count = (unsigned)atoi(argv[1]);
    if (count < 1 || count > THREADS_MAX)
        return 2;
    pthread_barrier_init(&begun, NULL, count + 1);
    for (unsigned i = 0; i < count; i++)
        if (pthread_create(&threads[i], NULL, work, (void *)(uintptr_t)i) != 0)
            return 1;
    pthread_barrier_wait(&begun);
    end_ns = now(CLOCK_MONOTONIC) + (uint64_t)(atof(argv[2]) * 1e9);
    puts("ready");
    fflush(stdout);
    for (unsigned i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    for (unsigned i = 0; i < KINDS; i++)
        tell("kind", kinds[i], &counts[0].kind[i], count);
    for (unsigned i = 0; i < TABLES; i++)
        tell("table", tables[i], &counts[0].table[i], count);
    for (unsigned i = 0; i <= SIZE_BITS; i++) {
        unsigned least = i ? 1u << (i - 1) : 0;

        snprintf(range, sizeof(range), i > 1 ? "%u..%u" : "%u", least, 2 * least - 1);
        tell("size", range, &counts[0].size[i], count);
    }
    tell_clock();
    return 0;
}
