/* SPDX-License-Identifier: MIT */
/*
 * A thread tree of three levels: main makes a manager, which makes 40 workers at one site and 24 at
 * another. It waits for a line at first, and ends when standard input does.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))
#define LEFT     40
#define RIGHT    24

static atomic_int ready;
static volatile unsigned long left_sink, right_sink;

static NOINLINE void turn_left(void)
{
    for (unsigned i = 0; i < 1000; i++)
        left_sink += i;
    usleep(10000);
}

static NOINLINE void turn_right(void)
{
    for (unsigned i = 0; i < 1000; i++)
        right_sink ^= i * i;
    usleep(15000);
}

static void *left_worker(void *arg)
{
    ready++;
    for (;;)
        turn_left();
    return arg;
}

static void *right_worker(void *arg)
{
    ready++;
    for (;;)
        turn_right();
    return arg;
}

static NOINLINE void spawn(const char *name, int count, void *(*routine)(void *))
{
    pthread_attr_t attr;
    pthread_t thread;
    char text[16];

    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, 128 * 1024);
    for (int i = 0; i < count; i++) {
        if (pthread_create(&thread, &attr, routine, NULL) != 0)
            return;
        snprintf(text, sizeof(text), "%s-%d", name, i);
        pthread_setname_np(thread, text);
    }
    pthread_attr_destroy(&attr);
}

static NOINLINE void left_pool(void)
{
    spawn("left", LEFT, left_worker);
    ready++;
}

static NOINLINE void right_pool(void)
{
    spawn("right", RIGHT, right_worker);
    ready++;
}

static void *manager(void *arg)
{
    left_pool();
    right_pool();
    for (;;)
        pause();
    return arg;
}

static NOINLINE void start_manager(void)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, manager, NULL) == 0)
        pthread_setname_np(thread, "manager");
    ready++;
}

int main(void)
{
    int c;

    do
        c = getchar();
    while (c != '\n' && c != EOF);
    start_manager();
    while (ready < LEFT + RIGHT + 3)
        usleep(1000);
    puts("ready");
    fflush(stdout);
    while (getchar() != EOF)
        ;
    return 0;
}
