/* SPDX-License-Identifier: MIT */
/*
 * Threads that block in system calls which a ptrace stop alone makes return EINTR, with timeouts of
 * some milliseconds, and count EINTR. Real signals, with a handler, are sent to one of them while
 * it sleeps in its call: those must give EINTR.
 *
 *   eintr SECONDS     prints "CALL calls EINTRs" for each call, "strange_errors calls errors" of
 *                     such as no call may end with, then "handled N interrupted N"
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum call { EPOLL, SIGTIMEDWAIT, SEMTIMEDOP, RECV, POLL, NANOSLEEP, IGNORED, CALLS };
static const char *const names[CALLS] = {"epoll_wait", "sigtimedwait", "semtimedop", "recv",
                                         "poll",       "nanosleep",    "ignored"};
static long calls[CALLS], interrupted[CALLS];
static long strange[CALLS];
static volatile int done;
static volatile sig_atomic_t handled;
static volatile pid_t handler_tid;
static long handler_eintr;

static void on_signal(int sig)
{
    (void)sig;
    handled++;
}

static int call_once(enum call call, const int *fds, int epoll, int sem)
{
    struct timespec ts = {.tv_nsec = 4000000};
    struct sembuf op = {.sem_op = -1};
    struct epoll_event event;
    struct pollfd pfd = {.fd = fds[0], .events = POLLIN};
    sigset_t set;
    char byte;

    switch (call) {
    case EPOLL:
    case IGNORED:
        return epoll_wait(epoll, &event, 1, 4);
    case SIGTIMEDWAIT:
        sigemptyset(&set);
        sigaddset(&set, SIGUSR2);
        return sigtimedwait(&set, NULL, &ts);
    case SEMTIMEDOP:
        return semtimedop(sem, &op, 1, &ts);
    case RECV:
        return (int)recv(fds[0], &byte, 1, 0);
    case POLL:
        return poll(&pfd, 1, 4);
    case NANOSLEEP:
        return nanosleep(&ts, NULL);
    case CALLS:
        break;
    }
    return 0;
}

static void *run(void *arg)
{
    enum call call = (enum call)(long)arg;
    struct timeval timeout = {.tv_usec = 4000};
    int fds[2], epoll = epoll_create1(0), sem = semget(IPC_PRIVATE, 1, 0600);

    if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds) != 0 || epoll < 0 || sem < 0)
        exit(3);
    setsockopt(fds[0], SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout));
    while (!done) {
        errno = 0;
        if (call_once(call, fds, epoll, sem) < 0 && errno == EINTR)
            interrupted[call]++;
        else if (errno && errno != EAGAIN)
            strange[call]++;
        calls[call]++;
    }
    semctl(sem, 0, IPC_RMID);
    return NULL;
}

/* Waits without limit, and is woken by real signals only. */
static void *run_handler(void *arg)
{
    int epoll = epoll_create1(0);
    struct epoll_event event;

    handler_tid = (pid_t)syscall(SYS_gettid);
    while (!done)
        if (epoll_wait(epoll, &event, 1, -1) < 0 && errno == EINTR)
            handler_eintr++;
    return arg;
}

/* Interrupts run_handler's call; not when it is on its way to it, as the call would not end. */
static void interrupt_handler(pthread_t handler)
{
    char path[64], state = 0;
    FILE *file;

    snprintf(path, sizeof(path), "/proc/self/task/%d/stat", (int)handler_tid);
    file = fopen(path, "r");
    if (!file || fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
        state = 0;
    if (file)
        fclose(file);
    if (state == 'S')
        pthread_kill(handler, SIGUSR1);
}

int main(int argc, char **argv)
{
    int milliseconds = (int)(1000 * (argc > 1 ? strtod(argv[1], NULL) : 1));
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    pthread_t threads[CALLS], handler;
    struct timespec gap = {.tv_nsec = 5000000};

    sigaction(SIGUSR1, &action, NULL);
    for (long i = 0; i < CALLS; i++)
        pthread_create(&threads[i], NULL, run, (void *)i);
    pthread_create(&handler, NULL, run_handler, NULL);
    usleep(100000);
    for (int i = 0; i < milliseconds / 5; i++) {
        pthread_kill(threads[IGNORED], SIGWINCH); /* has no handler, and is ignored by default */
        interrupt_handler(handler);
        nanosleep(&gap, NULL);
    }
    done = 1;
    for (int i = 0; i < CALLS; i++) {
        pthread_join(threads[i], NULL);
        printf("%s %ld %ld\n", names[i], calls[i], interrupted[i]);
    }
    for (int i = 1; i < CALLS; i++) {
        calls[0] += calls[i];
        strange[0] += strange[i];
    }
    printf("strange_errors %ld %ld\n", calls[0], strange[0]);
    while (pthread_tryjoin_np(handler, NULL) != 0) {
        interrupt_handler(handler);
        nanosleep(&gap, NULL);
    }
    printf("handled %d interrupted %ld\n", (int)handled, handler_eintr);
    return 0;
}
