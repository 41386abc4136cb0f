/* SPDX-License-Identifier: MIT */
/*
 * For cgtop: threads that run, that wait for a lock whose holder sleeps, and whose names are made
 * to harm terminals. Prints "ready". Until it is killed.
 */
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "park.h"

#define WAITERS 3

pthread_mutex_t g_lock = PTHREAD_MUTEX_INITIALIZER;
static volatile unsigned long sum;

KEEP void spin_leaf(void)
{
    for (unsigned i = 0; i < 1000000; i++)
        sum += i;
}

KEEP void spin_more(void)
{
    spin_leaf();
    spin_leaf();
    sum++;
}

/* Mostly there, and at times asleep. */
KEEP void *spin(void *arg)
{
    const struct timespec pause = {.tv_nsec = 20000000};

    pthread_setname_np(pthread_self(), "spinner");
    for (;;) {
        spin_more();
        spin_leaf();
        nanosleep(&pause, NULL);
    }
    return arg;
}

KEEP void *hold(void *arg)
{
    pthread_setname_np(pthread_self(), "holder");
    pthread_mutex_lock(&g_lock);
    for (;;)
        pause();
    return arg;
}

KEEP void *wait_for_lock(void *arg)
{
    pthread_setname_np(pthread_self(), arg);
    pthread_mutex_lock(&g_lock);
    return arg;
}

int main(void)
{
    /* The title of a terminal, text from the right to the left, no UTF-8; wide characters. */
    static char *const names[WAITERS] = {"\033]0;x\007\033[2J",
                                         "a\xe2\x80\xae\xff"
                                         "b\xc2\x9b",
                                         "\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e"};
    pthread_t thread;

    pthread_create(&thread, NULL, hold, NULL);
    usleep(100000);
    for (unsigned i = 0; i < WAITERS; i++)
        pthread_create(&thread, NULL, wait_for_lock, names[i]);
    pthread_create(&thread, NULL, spin, NULL);
    puts("ready");
    fflush(stdout);
    for (;;)
        pause();
}
