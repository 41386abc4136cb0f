/* SPDX-License-Identifier: MIT */
/*
 * How threads come and what they wait for: threads WHAT, with a line on standard input, or its end,
 * as the sign to go on.
 *
 *   make     at the sign eight threads from two places, which live for half a second and are named
 *            meanwhile; then a child by fork
 *   waits    a thread for each way of waiting; at the sign a lock changes hands, at the next it
 *            ends
 *
 * Prints what a capture must show, one line each: "made TID SITE", "child PID SITE" with the
 * return address of the function that made it; "lock TID ADDRESS OWNER PLACE",
 * "fd TID NUMBER LINK"; "handed TID ADDRESS": a lock word with an owner behind it, which is 1, then
 * 2, though the thread that waits for it sleeps on.
 */
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOT_INLINED __attribute__((noinline, noclone))

/* Keeps a call from being the last thing that its function does. */
static volatile int sink;

static void await_sign(void)
{
    char line[16];

    if (!fgets(line, sizeof(line), stdin))
        return;
}

static void *live(void *arg)
{
    int *tid = arg;

    __atomic_store_n(tid, (int)syscall(SYS_gettid), __ATOMIC_SEQ_CST);
    usleep(500000);
    return NULL;
}

static void *site; /* where the function that makes a thread or process was called */

static NOT_INLINED void make(pthread_t *thread, int *tid)
{
    site = __builtin_return_address(0);
    if (pthread_create(thread, NULL, live, tid) != 0)
        exit(1);
    sink++;
}

static NOT_INLINED void first_site(pthread_t *thread, int *tid)
{
    make(thread, tid);
    sink += 2;
}

static NOT_INLINED void second_site(pthread_t *thread, int *tid)
{
    make(thread, tid);
    sink += 3;
}

static NOT_INLINED pid_t make_child(void)
{
    pid_t pid;

    site = __builtin_return_address(0);
    pid = fork();
    if (pid == 0) {
        usleep(100000);
        _exit(0);
    }
    sink += 4;
    return pid;
}

static int make_all(void)
{
    pthread_t threads[8];
    static void *sites[8]; /* not on the stack, where they are to be found once each */
    int tids[8] = {0};
    pid_t child;

    await_sign();
    for (int i = 0; i < 8; i++) {
        (i % 2 ? second_site : first_site)(&threads[i], &tids[i]);
        sites[i] = site;
    }
    usleep(150000); /* they sleep: nobody looks at them any more */
    for (int i = 0; i < 8; i++)
        pthread_setname_np(threads[i], "named late");
    for (int i = 0; i < 8; i++)
        pthread_join(threads[i], NULL);
    child = make_child();
    for (int i = 0; i < 8; i++) /* not before, or what printf leaves is on the stack of fork */
        printf("made %d %p\n", tids[i], sites[i]);
    printf("child %d %p\n", (int)child, site);
    return waitpid(child, NULL, 0) != child;
}

static pthread_mutex_t data_mutex = PTHREAD_MUTEX_INITIALIZER; /* in .data or .bss */
static pthread_mutex_t *heap_mutex;
static struct {
    int word, owner;
} handed = {0, 1};
static int pipe_fds[2], socket_fds[2], epoll_fd, listen_fd;

static pid_t self(void)
{
    return (pid_t)syscall(SYS_gettid);
}

static void tell_fd(int fd)
{
    char path[64], link[256];
    ssize_t n;

    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    n = readlink(path, link, sizeof(link) - 1);
    link[n > 0 ? n : 0] = '\0';
    printf("fd %d %d %s\n", (int)self(), fd, link);
}

static void *wait_data_mutex(void *arg)
{
    printf("lock %d %p %d 1\n", (int)self(), (void *)&data_mutex, (int)getpid());
    pthread_mutex_lock(&data_mutex);
    return arg;
}

static void *wait_heap_mutex(void *arg)
{
    printf("lock %d %p %d 2\n", (int)self(), (void *)heap_mutex, (int)getpid());
    pthread_mutex_lock(heap_mutex);
    return arg;
}

static void *wait_handed(void *arg)
{
    printf("handed %d %p\n", (int)self(), (void *)&handed);
    for (;;)
        syscall(SYS_futex, &handed.word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
    return arg;
}

static void *wait_poll(void *arg)
{
    struct pollfd fds[] = {{.fd = pipe_fds[0], .events = POLLIN},
                           {.fd = -1},
                           {.fd = socket_fds[0], .events = POLLIN}};

    tell_fd(pipe_fds[0]);
    tell_fd(socket_fds[0]);
    poll(fds, 3, -1);
    return arg;
}

static void *wait_select(void *arg)
{
    fd_set set;

    FD_ZERO(&set);
    FD_SET(socket_fds[1], &set);
    tell_fd(socket_fds[1]);
    select(socket_fds[1] + 1, &set, NULL, NULL, NULL);
    return arg;
}

static void *wait_epoll(void *arg)
{
    struct epoll_event event;

    tell_fd(epoll_fd);
    epoll_wait(epoll_fd, &event, 1, -1);
    return arg;
}

static void *wait_read(void *arg)
{
    char byte;

    tell_fd(pipe_fds[0]);
    return read(pipe_fds[0], &byte, 1) == 1 ? arg : NULL;
}

static void *wait_recv(void *arg)
{
    char byte;

    tell_fd(socket_fds[0]);
    recv(socket_fds[0], &byte, 1, 0);
    return arg;
}

static void *wait_accept(void *arg)
{
    tell_fd(listen_fd);
    accept(listen_fd, NULL, NULL);
    return arg;
}

static int wait_all(void)
{
    static void *(*const ways[])(void *) = {wait_data_mutex, wait_heap_mutex, wait_handed,
                                            wait_poll,       wait_select,     wait_epoll,
                                            wait_read,       wait_recv,       wait_accept};
    const struct sockaddr_un name = {.sun_family = AF_UNIX};
    pthread_t thread;

    heap_mutex = malloc(sizeof(*heap_mutex));
    if (!heap_mutex || pipe(pipe_fds) != 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, socket_fds) != 0)
        return 1;
    pthread_mutex_init(heap_mutex, NULL);
    pthread_mutex_lock(heap_mutex);
    pthread_mutex_lock(&data_mutex);
    epoll_fd = epoll_create1(0);
    listen_fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (bind(listen_fd, (const struct sockaddr *)&name, sizeof(name.sun_family)) != 0 ||
        listen(listen_fd, 1) != 0)
        return 1;
    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
        if (pthread_create(&thread, NULL, ways[i], NULL) != 0)
            return 1;
    await_sign();
    handed.owner = 2;
    await_sign();
    return 0;
}

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    return argc > 1 && !strcmp(argv[1], "waits") ? wait_all() : make_all();
}
