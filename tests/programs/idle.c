/* SPDX-License-Identifier: MIT */
/*
 * idle THREADS SECONDS [busy|blink]: so many threads that wait, in several ways. The first thread
 * waits as well, or computes, or computes for 100 ms every 1.5 s.
 */
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *wait_somehow(void *arg)
{
    switch ((long)arg % 4) {
    case 0:
        pause();
        break;
    case 1:
        poll(NULL, 0, 1000000);
        break;
    case 2:
        sleep(1000);
        break;
    case 3:
        pthread_mutex_lock(&mutex);
        break;
    }
    return arg;
}

static void compute(double seconds)
{
    struct timespec begin, now;

    clock_gettime(CLOCK_MONOTONIC, &begin);
    do
        clock_gettime(CLOCK_MONOTONIC, &now);
    while ((double)(now.tv_sec - begin.tv_sec) + 1e-9 * (double)(now.tv_nsec - begin.tv_nsec) <
           seconds);
}

int main(int argc, char **argv)
{
    long threads = argc > 1 ? strtol(argv[1], NULL, 10) : 1;
    double seconds = argc > 2 ? strtod(argv[2], NULL) : 1;
    const char *mode = argc > 3 ? argv[3] : "";
    pthread_attr_t attr;
    pthread_t thread;

    pthread_mutex_lock(&mutex);
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, 64 << 10);
    for (long i = 0; i < threads; i++)
        if (pthread_create(&thread, &attr, wait_somehow, (void *)i) != 0)
            return 1;
    if (!strcmp(mode, "busy")) {
        compute(seconds);
    } else if (!strcmp(mode, "blink")) {
        for (; seconds > 0; seconds -= 1.6) {
            poll(NULL, 0, 1500);
            compute(0.1);
        }
    } else {
        poll(NULL, 0, (int)(seconds * 1000));
    }
    return 0;
}
