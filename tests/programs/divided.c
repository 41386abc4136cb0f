/* SPDX-License-Identifier: MIT */
/*
 * Threads that handle requests of three kinds, of which some take longer, for tests of what is told
 * of variables. A request's text is an attack on whoever shows it.
 */
#include <pthread.h>
#include <stdio.h>

enum kind { READ, WRITE, SYNC };

struct request {
    enum kind kind;
    int size;
    char text[80];
};

static volatile long g_sum;

__attribute__((always_inline)) static inline void spin(long turns, int step)
{
    for (long turn = 0; turn < turns; turn++)
        g_sum += turn + step;
}

__attribute__((noinline)) static void work(struct request *request, long rounds)
{
    long done = 0;

    for (; done < rounds; done += 1000)
        spin(1000, request->size);
}

__attribute__((noinline)) static void handle(struct request *request, enum kind kind, int serial)
{
    work(request, 30000 * (kind == SYNC ? 6 : kind == WRITE ? 3 : 1));
    g_sum += serial;
}

__attribute__((noinline)) static void serve(const char *name)
{
    struct request request = {.size = 1};

    for (int serial = 0;; serial++) {
        request.kind = (enum kind)(serial % 3);
        snprintf(request.text, sizeof(request.text),
                 "%s</script><img src=x onerror=attacked=1>\x1b[31m\xff\xe2\x80\xae%d", name,
                 serial % 5);
        handle(&request, request.kind, serial % 4);
    }
}

static void *run(void *name)
{
    serve(name);
    return NULL;
}

int main(void)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, run, "one") != 0)
        return 1;
    serve("two");
    return 0;
}
