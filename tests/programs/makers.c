/* SPDX-License-Identifier: MIT */
/*
 * Makes threads and processes all the time, each of which ends at once.
 *
 *   makers     until SIGTERM; prints "ready", and at the end how many threads and children there
 *              were, and how many of these could not be made, or ended otherwise than they should
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREAD_MAKERS  2
#define PROCESS_MAKERS 4
#define CHILD_STATUS   7

static atomic_long threads, children, failures;
static volatile sig_atomic_t over;

static void *end_at_once(void *number)
{
    return number;
}

static void *make_threads(void *unused)
{
    while (!over) {
        pthread_t thread;
        void *result = NULL;
        long number = atomic_fetch_add(&threads, 1);

        if (pthread_create(&thread, NULL, end_at_once, &number) != 0 ||
            pthread_join(thread, &result) != 0 || result != &number)
            atomic_fetch_add(&failures, 1);
    }
    return unused;
}

static void *make_processes(void *unused)
{
    while (!over) {
        int status = 0;
        pid_t pid = fork();

        if (pid == 0)
            _exit(CHILD_STATUS);
        atomic_fetch_add(&children, 1);
        if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status) ||
            WEXITSTATUS(status) != CHILD_STATUS)
            atomic_fetch_add(&failures, 1);
    }
    return unused;
}

int main(void)
{
    pthread_t makers[THREAD_MAKERS + PROCESS_MAKERS];
    sigset_t end;
    int signal;

    sigemptyset(&end);
    sigaddset(&end, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &end, NULL);
    for (int i = 0; i < THREAD_MAKERS + PROCESS_MAKERS; i++)
        if (pthread_create(&makers[i], NULL, i < THREAD_MAKERS ? make_threads : make_processes,
                           NULL) != 0)
            return 2;
    puts("ready");
    fflush(stdout);
    sigwait(&end, &signal);
    over = 1;
    for (int i = 0; i < THREAD_MAKERS + PROCESS_MAKERS; i++)
        pthread_join(makers[i], NULL);
    printf("%ld %ld %ld\n", threads, children, failures);
    return failures != 0;
}
