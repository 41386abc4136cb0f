/* SPDX-License-Identifier: MIT */
/*
 * What a process can do to itself while it is captured:
 *   lifecycle exec N      calls exec on itself N times, from a thread that is not the first
 *   lifecycle burn N      uses a CPU for 9 ms, takes the name "old", sleeps, calls exec on
 *                         itself; N times
 *   lifecycle fork        forks 20 children that compute and exit; waits for each
 *   lifecycle spawn       vforks 20 children that sleep for 20 ms, then call exec; waits for each
 *   lifecycle leader [MS] the first thread ends, another goes on for so long (200) on a CPU
 *   lifecycle replace     the first thread ends, another calls exec as "lifecycle work"
 *   lifecycle work        uses a CPU now and then for 2 s
 *   lifecycle done        exits at once
 * Ends with status 7.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char *program;

static void spin(unsigned ms)
{
    for (unsigned i = 0; i < ms; i++) {
        for (volatile unsigned k = 0; k < 100000; k++)
            ;
        usleep(500);
    }
}

static void *idle(void *arg)
{
    pause();
    return arg;
}

static void *exec_again(void *arg)
{
    char left[32];

    spin(30);
    snprintf(left, sizeof(left), "%ld", (long)arg - 1);
    execl(program, program, "exec", left, (char *)NULL);
    exit(1);
}

static void *last(void *arg)
{
    spin((unsigned)(long)arg);
    exit(7);
}

static void *work(void *arg)
{
    usleep(500000); /* until the first thread has ended, and the capture has begun */
    execl(program, program, "work", (char *)NULL);
    return arg;
}

static int run_exec(long left)
{
    pthread_t thread;

    if (!left)
        return 7;
    pthread_create(&thread, NULL, idle, NULL);
    pthread_create(&thread, NULL, exec_again, (void *)left);
    pause();
    return 1;
}

static long used_ns(void)
{
    struct timespec used;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return used.tv_sec * 1000000000 + used.tv_nsec;
}

static int run_burn(long left)
{
    long before_ns = used_ns(); /* goes on through an exec */
    char argument[32];

    while (used_ns() - before_ns < 9000000)
        ;
    if (!left)
        return 7;
    prctl(PR_SET_NAME, "old");
    usleep(150000);
    snprintf(argument, sizeof(argument), "%ld", left - 1);
    execl(program, program, "burn", argument, (char *)NULL);
    return 1;
}

static int run_children(int spawn)
{
    for (int i = 0; i < 20; i++) {
        pid_t pid = spawn ? vfork() : fork();
        int status;
        if (pid == 0 && spawn) {
            usleep(20000);
            execl(program, program, "done", (char *)NULL);
            _exit(1);
        }
        if (pid == 0) {
            spin(5);
            _exit(7);
        }
        if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status) || WEXITSTATUS(status) != 7)
            return 1;
    }
    return 7;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    pthread_t thread;

    program = argv[0];
    if (!strcmp(what, "exec"))
        return run_exec(argc > 2 ? strtol(argv[2], NULL, 10) : 1);
    if (!strcmp(what, "burn"))
        return run_burn(argc > 2 ? strtol(argv[2], NULL, 10) : 1);
    if (!strcmp(what, "fork") || !strcmp(what, "spawn"))
        return run_children(!strcmp(what, "spawn"));
    if (!strcmp(what, "work"))
        spin(2000);
    if (!strcmp(what, "replace")) {
        pthread_create(&thread, NULL, work, NULL);
        pthread_exit(NULL);
    }
    if (!strcmp(what, "leader")) {
        pthread_create(&thread, NULL, last, (void *)(argc > 2 ? strtol(argv[2], NULL, 10) : 200));
        pthread_exit(NULL);
    }
    return 7;
}
