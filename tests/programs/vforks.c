/* SPDX-License-Identifier: MIT */
/*
 * vforks [MS [thread]]: waits so long (30,000 ms) for its child of vfork, in a state in which it
 * cannot be stopped; with `thread` in its second thread, while the first has ended.
 */
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static unsigned ms = 30000;

static void *wait_for_child(void *arg)
{
    if (vfork() == 0) {
        usleep(ms * 1000);
        _exit(0);
    }
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t thread;

    if (argc > 1)
        ms = (unsigned)atoi(argv[1]);
    if (argc <= 2) {
        wait_for_child(NULL);
        return 0;
    }
    if (pthread_create(&thread, NULL, wait_for_child, NULL))
        return 1;
    syscall(SYS_exit, 0);
}
