/* SPDX-License-Identifier: MIT */
/*
 * storm SECONDS [leave|single|exec ARGUMENT…]: two threads compute and send themselves signals all
 * the time, as Go's runtime does; the first one sleeps. After half of the time one of them makes
 * another, "late", which computes, too. "leave" has the first thread end at the beginning; of
 * "single" it is the only one. "exec" has one of the two, at the end, call exec of this program
 * with these arguments and the name "second", while the other goes on. Each program prints how many
 * signals were sent and handled; before exec the other thread's last one may be under way. Ends
 * with 7; before its time at SIGTERM.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define EXEC_S 60 /* until exec has ended all others, at most */

static atomic_long sent, handled;
static double begin_s;
static _Atomic double end_s;
static char **second; /* arguments for exec, or NULL */

static double now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void on_signal(int number)
{
    (void)number;
    atomic_fetch_add(&handled, 1);
}

static void on_term(int number)
{
    (void)number;
    atomic_store(&end_s, now_s());
}

static void compute(void)
{
    for (volatile unsigned i = 0; i < 50000; i++)
        ;
}

static void *work_late(void *unused)
{
    while (now_s() < end_s)
        compute();
    return unused;
}

static void work(double until_s)
{
    while (now_s() < until_s && (now_s() < end_s || second)) {
        compute();
        atomic_fetch_add(&sent, 1);
        pthread_kill(pthread_self(), SIGURG);
    }
}

static void *work_with_late(void *unused)
{
    pthread_t late;

    work((begin_s + end_s) / 2);
    pthread_create(&late, NULL, work_late, NULL);
    pthread_setname_np(late, "late");
    work(second ? end_s + EXEC_S : end_s);
    pthread_join(late, NULL);
    return unused;
}

static void print_counts(void)
{
    printf("%ld %ld\n", atomic_load(&sent), atomic_load(&handled));
    fflush(stdout);
}

static void *work_and_exec(void *unused)
{
    work(end_s);
    if (second) {
        print_counts();
        execv("/proc/self/exe", second);
    }
    return unused;
}

static _Noreturn void end(void)
{
    print_counts();
    exit(7);
}

static void *run(void *unused)
{
    pthread_t threads[2];

    (void)unused;
    pthread_create(&threads[0], NULL, work_with_late, NULL);
    pthread_create(&threads[1], NULL, work_and_exec, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    end();
}

int main(int argc, char **argv)
{
    const char *what = argc > 2 ? argv[2] : "";
    pthread_t thread;

    begin_s = now_s();
    end_s = begin_s + (argc > 1 ? atof(argv[1]) : 1);
    signal(SIGURG, on_signal);
    signal(SIGTERM, on_term);
    if (!strcmp(argv[0], "second"))
        prctl(PR_SET_NAME, "second");
    if (!strcmp(what, "exec")) {
        second = argv + 2;
        second[0] = "second";
    } else if (!strcmp(what, "single")) {
        work(end_s);
        end();
    } else if (!strcmp(what, "leave")) {
        pthread_create(&thread, NULL, run, NULL);
        pthread_exit(NULL);
    }
    run(NULL);
}
