/* SPDX-License-Identifier: MIT */
/* The first thread ends, another one goes on. */
#include <pthread.h>
#include <unistd.h>

static void *work(void *arg)
{
    for (;;)
        usleep(1000);
    return arg;
}

int main(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, work, NULL);
    pthread_exit(NULL);
}
