/* SPDX-License-Identifier: MIT */
/* Two processes with two named threads each; the second has a title, as postgres's have. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void *work(void *name)
{
    pthread_setname_np(pthread_self(), name);
    for (;;)
        usleep(1000);
    return NULL;
}

/* In place of the arguments, as setproctitle does it. */
static void set_title(int argc, char **argv, const char *title)
{
    const size_t size = (size_t)(argv[argc - 1] + strlen(argv[argc - 1]) - argv[0]);

    memset(argv[0], 0, size);
    strncpy(argv[0], title, size);
}

/* Says "ready" when all is so. */
int main(int argc, char **argv)
{
    pthread_t threads[2];
    const pid_t child = fork();

    if (child == 0)
        set_title(argc, argv, "started: checkpointer");
    pthread_create(&threads[0], NULL, work, "flusher");
    pthread_create(&threads[1], NULL, work, "listener");
    if (child == 0) {
        puts("ready");
        fflush(stdout);
    }
    pthread_join(threads[0], NULL);
    return 0;
}
