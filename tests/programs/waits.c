/* SPDX-License-Identifier: MIT */
/*
 * Threads that are blocked, each in another way: for tests/system/waits_known.py, to which it says
 * what is to be found. A line for each thread:
 *
 *     tid TAB kind TAB object's address TAB object's name TAB owner's tid TAB descriptor
 * where 0x0, "-", 0 and -1 are none and "?" is not known here,
 *
 * then "ready". A thread's name is that of its line in the table at the end. The first argument
 * says whether the C library is musl, whose plain mutexes and rwlocks keep no owner.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t normal_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t own_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t cond_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t recursive_lock, checked_lock, robust_lock, pi_lock, shared_lock;
pthread_rwlock_t read_held = PTHREAD_RWLOCK_INITIALIZER, write_held = PTHREAD_RWLOCK_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static pthread_barrier_t barrier;
static pthread_once_t once = PTHREAD_ONCE_INIT;
/*
 * Beyond the data that the file holds: memory that is called [heap] where that begins right behind.
 */
static struct {
    char before[0x1800];
    pthread_mutex_t lock;
} pool[3] = {[2] = {.lock = PTHREAD_MUTEX_INITIALIZER}};
static pthread_mutex_t *heap_lock, *stack_lock;

static pthread_t joined;
static pid_t main_tid, holder_tid, once_tid, joined_tid, child;
static int pipe_fds[2], listener, epoll_fd, lock_fd, full_pipe[2];
static atomic_int blocked;
static int is_musl;

static pid_t own_tid(void)
{
    return (pid_t)syscall(SYS_gettid);
}

static void expect_all(const char *kind, const void *addr, const char *name, pid_t owner, int fd)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

    pthread_mutex_lock(&lock);
    printf("%d\t%s\t0x%jx\t%s\t%d\t%d\n", (int)own_tid(), kind, (uintmax_t)(uintptr_t)addr, name,
           (int)owner, fd);
    pthread_mutex_unlock(&lock);
    blocked++;
}

static void expect(const char *kind, const void *addr, const char *name, pid_t owner)
{
    expect_all(kind, addr, name, owner, -1);
}

static void expect_fd(const char *kind, int fd, const char *more)
{
    char path[64], link[128];
    ssize_t len;

    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    len = readlink(path, link, sizeof(link) - 32);
    link[len > 0 ? len : 0] = '\0';
    strcat(link, more);
    expect_all(kind, NULL, link, 0, fd);
}

static pid_t owner(void)
{
    return is_musl ? 0 : main_tid;
}

static void in_normal(void)
{
    expect("mutex", &normal_lock, "normal_lock", owner());
    pthread_mutex_lock(&normal_lock);
}

static void in_own(void)
{
    pthread_mutex_lock(&own_lock);
    expect("mutex", &own_lock, "own_lock", is_musl ? 0 : own_tid());
    pthread_mutex_lock(&own_lock);
}

static void in_recursive(void)
{
    expect("mutex", &recursive_lock, "recursive_lock", main_tid);
    pthread_mutex_lock(&recursive_lock);
}

static void in_checked(void)
{
    struct timespec until = {.tv_sec = 0x7fff0000};

    expect("mutex", &checked_lock, "checked_lock", main_tid);
    pthread_mutex_timedlock(&checked_lock, &until);
}

static void in_robust(void)
{
    expect("mutex", &robust_lock, "robust_lock", main_tid);
    pthread_mutex_lock(&robust_lock);
}

static void in_pi(void)
{
    expect("mutex", &pi_lock, "pi_lock", main_tid);
    pthread_mutex_lock(&pi_lock);
}

static void in_shared(void)
{
    expect("mutex", &shared_lock, "shared_lock", owner());
    pthread_mutex_lock(&shared_lock);
}

static void in_pool(void)
{
    char name[32];

    snprintf(name, sizeof(name), "pool+0x%zx", (size_t)((char *)&pool[2].lock - (char *)pool));
    expect("mutex", &pool[2].lock, name, owner());
    pthread_mutex_lock(&pool[2].lock);
}

static void in_heap(void)
{
    expect("mutex", heap_lock, "?", owner());
    pthread_mutex_lock(heap_lock);
}

static void in_stack(void)
{
    char name[64];

    snprintf(name, sizeof(name), "stack of holder (%d)+", (int)holder_tid);
    expect("mutex", stack_lock, name, is_musl ? 0 : holder_tid);
    pthread_mutex_lock(stack_lock);
}

static void in_rdlock(void)
{
    expect("rwlock (read)", &write_held, "write_held", owner());
    pthread_rwlock_rdlock(&write_held);
}

static void in_wrlock(void)
{
    expect("rwlock (write)", &write_held, "write_held", owner());
    pthread_rwlock_wrlock(&write_held);
}

static void in_wrlock_readers(void)
{
    expect("rwlock (write)", &read_held, "read_held", 0);
    pthread_rwlock_wrlock(&read_held);
}

static void in_cond(void)
{
    pthread_mutex_lock(&cond_lock);
    expect("condition", &condition, "condition", 0);
    pthread_cond_wait(&condition, &cond_lock);
}

static void in_sem(void)
{
    expect("semaphore", &semaphore, "semaphore", 0);
    while (sem_wait(&semaphore) != 0)
        ;
}

static void in_barrier(void)
{
    /* musl's is on the stack of the thread that came first */
    expect("barrier", is_musl ? NULL : &barrier, is_musl ? "stack of barrier" : "barrier", 0);
    pthread_barrier_wait(&barrier);
}

static void in_join(void)
{
    char name[64];

    snprintf(name, sizeof(name), "thread joined (%d)", (int)joined_tid);
    expect("join", (void *)joined, name, joined_tid);
    pthread_join(joined, NULL);
}

static void never_done(void)
{
    once_tid = own_tid();
    expect("sleep", NULL, "-", 0);
    for (;;)
        pause();
}

static void in_once(void)
{
    pthread_once(&once, never_done);
}

static void after_once(void)
{
    expect("once", &once, "once", 0);
    pthread_once(&once, never_done);
}

static void in_read(void)
{
    char byte;

    expect_fd("read", pipe_fds[0], "");
    while (read(pipe_fds[0], &byte, 1) < 0 && errno == EINTR)
        ;
}

static void in_write(void)
{
    static const char bytes[1 << 20];

    expect_fd("write", full_pipe[1], "");
    for (;;)
        if (write(full_pipe[1], bytes, sizeof(bytes)) < 0 && errno != EINTR)
            return;
}

static void in_poll(void)
{
    struct pollfd fds[9]; /* as many as FUTEX_WAIT_BITSET is */

    for (int i = 0; i < 9; i++)
        fds[i] = (struct pollfd){.fd = -1};
    fds[0] = (struct pollfd){.fd = pipe_fds[0], .events = POLLIN};
    fds[2] = (struct pollfd){.fd = listener, .events = POLLIN};
    expect_fd("poll", pipe_fds[0], " and 1 more");
    for (;;)
        poll(fds, 9, -1);
}

static void in_select(void)
{
    expect_fd("poll", listener, "");
    for (;;) {
        fd_set set;

        FD_ZERO(&set);
        FD_SET(listener, &set);
        select(listener + 1, &set, NULL, NULL, NULL);
    }
}

static void in_epoll(void)
{
    struct epoll_event event;

    expect_fd("poll", epoll_fd, "");
    for (;;)
        epoll_wait(epoll_fd, &event, 1, -1);
}

static void in_accept(void)
{
    expect_fd("accept", listener, "");
    for (;;)
        accept(listener, NULL, NULL);
}

static void in_sleep(void)
{
    struct timespec time = {.tv_sec = 1000000};

    expect("sleep", NULL, "-", 0);
    for (;;)
        nanosleep(&time, NULL);
}

static void in_child(void)
{
    expect("child", NULL, "-", 0);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
}

static void in_flock(void)
{
    int fd = open("/proc/self/exe", O_RDONLY);

    expect_fd("file lock", fd, "");
    while (flock(fd, LOCK_EX) < 0 && errno == EINTR)
        ;
}

static void in_signal(void)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    expect("signal", NULL, "-", 0);
    for (;;)
        sigwaitinfo(&set, NULL);
}

static void holder(void)
{
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

    pthread_mutex_lock(&lock);
    holder_tid = own_tid();
    stack_lock = &lock;
    expect("sleep", NULL, "-", 0);
    for (;;)
        pause();
}

static void joined_thread(void)
{
    joined_tid = own_tid();
    expect("sleep", NULL, "-", 0);
    for (;;)
        pause();
}

/* In order: a thread is started when the one before it is about to block. */
static const struct {
    const char *name;
    void (*run)(void);
} threads[] = {
    {"holder", holder},
    {"joined", joined_thread},
    {"normal", in_normal},
    {"own", in_own},
    {"recursive", in_recursive},
    {"checked", in_checked},
    {"robust", in_robust},
    {"pi", in_pi},
    {"shared", in_shared},
    {"pool", in_pool},
    {"heap", in_heap},
    {"stack", in_stack},
    {"rdlock", in_rdlock},
    {"wrlock", in_wrlock},
    {"readers", in_wrlock_readers},
    {"cond", in_cond},
    {"cond2", in_cond},
    {"sem", in_sem},
    {"barrier", in_barrier},
    {"barrier2", in_barrier},
    {"join", in_join},
    {"once", in_once},
    {"once2", after_once},
    {"read", in_read},
    {"write", in_write},
    {"poll", in_poll},
    {"select", in_select},
    {"epoll", in_epoll},
    {"accept", in_accept},
    {"sleep", in_sleep},
    {"child", in_child},
    {"flock", in_flock},
    {"signal", in_signal},
};

#define THREAD_COUNT ((int)(sizeof(threads) / sizeof(threads[0])))

static void *start(void *number)
{
    int i = (int)(intptr_t)number;

    pthread_setname_np(pthread_self(), threads[i].name);
    threads[i].run();
    return NULL;
}

static void make_mutex(pthread_mutex_t *mutex, int type, int protocol, int robust, int shared)
{
    pthread_mutexattr_t attr;

    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, type);
    pthread_mutexattr_setprotocol(&attr, protocol);
    pthread_mutexattr_setrobust(&attr, robust);
    pthread_mutexattr_setpshared(&attr, shared);
    if (pthread_mutex_init(mutex, &attr) != 0)
        exit(1);
    pthread_mutex_lock(mutex);
}

static void make_objects(void)
{
    make_mutex(&recursive_lock, PTHREAD_MUTEX_RECURSIVE, 0, 0, 0);
    make_mutex(&checked_lock, PTHREAD_MUTEX_ERRORCHECK, 0, 0, 0);
    make_mutex(&robust_lock, PTHREAD_MUTEX_NORMAL, 0, PTHREAD_MUTEX_ROBUST, 0);
    make_mutex(&pi_lock, PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_INHERIT, 0, 0);
    make_mutex(&shared_lock, PTHREAD_MUTEX_NORMAL, 0, 0, PTHREAD_PROCESS_SHARED);
    heap_lock = malloc(sizeof(*heap_lock));
    make_mutex(heap_lock, PTHREAD_MUTEX_NORMAL, 0, 0, 0);
    pthread_mutex_lock(&normal_lock);
    pthread_mutex_lock(&pool[2].lock);
    pthread_rwlock_rdlock(&read_held);
    pthread_rwlock_wrlock(&write_held);
    sem_init(&semaphore, 0, 0);
    pthread_barrier_init(&barrier, NULL, 3);
}

static void make_files(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};

    listener = socket(AF_INET, SOCK_STREAM, 0);
    epoll_fd = epoll_create1(0);
    lock_fd = open("/proc/self/exe", O_RDONLY);
    if (pipe(pipe_fds) != 0 || pipe(full_pipe) != 0 ||
        bind(listener, (struct sockaddr *)&address, sizeof(address)) != 0 ||
        listen(listener, 1) != 0 || flock(lock_fd, LOCK_EX) != 0)
        exit(1);
    child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (;;)
            pause();
    }
}

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    is_musl = argc > 1 && strcmp(argv[1], "musl") == 0;
    main_tid = own_tid();
    make_files();
    make_objects();
    for (int i = 0; i < THREAD_COUNT; i++) {
        pthread_t thread;

        if (pthread_create(&thread, NULL, start, (void *)(intptr_t)i) != 0)
            return 1;
        if (i == 1)
            joined = thread;
        while (blocked <= i)
            usleep(1000);
    }
    puts("ready");
    for (;;)
        pause();
}
