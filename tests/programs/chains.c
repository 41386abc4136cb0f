/* SPDX-License-Identifier: MIT */
/*
 * A program with known chains: nine threads that have come to rest (one spins inside the vDSO),
 * each on a chain that is hard in another way. `chains` prints one line a thread, saying which
 * chain it must show, then "ready" once all are in place, and stays there until it is killed.
 *
 *     NAME: innermost < … < outermost
 *
 * `f*500` is 500 frames of f, `..` one or more frames outside this program (libc, vDSO, the
 * kernel's trampoline). Everything between is exact. Built by the tests with several compilers and
 * options, so no function here may be inlined, cloned or merged unless its chain says so.
 */
#include <alloca.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "park.h"

#define RECURSION_DEPTH 500
#define ALT_STACK_SIZE  (256 * 1024)

/* A store to it after a call keeps that call from becoming a jump. */
static volatile unsigned long sink;

/* expect: recursion 500 deep; the frames differ only in their return addresses' stack slots */

KEEP static unsigned long recurse_down(unsigned depth)
{
    unsigned long result = depth > 1 ? recurse_down(depth - 1) : park();
    sink = result;
    return result + depth;
}

KEEP static void *recurse_thread(void *arg)
{
    sink = recurse_down(RECURSION_DEPTH);
    return arg;
}

#define RECURSE_CHAIN ".. < park < recurse_down*500 < recurse_thread < .."

/*
 * expect: a handler on an alternate stack, called by a fault. With optimization the faulting
 * instruction is the first one of alt_touch, so that a look-up at PC - 1 would find another
 * function.
 */

KEEP static void alt_handler(int signal)
{
    sink = park() + (unsigned)signal;
}

KEEP static void alt_touch(volatile char *page)
{
    *page = 1;
}

KEEP static void alt_install(void)
{
    int prot = PROT_READ | PROT_WRITE;
    int flags = MAP_PRIVATE | MAP_ANONYMOUS;
    stack_t stack = {.ss_size = ALT_STACK_SIZE};
    stack.ss_sp = mmap(NULL, ALT_STACK_SIZE, prot, flags, -1, 0);
    struct sigaction action = {.sa_handler = alt_handler, .sa_flags = SA_ONSTACK};
    if (stack.ss_sp == MAP_FAILED || sigaltstack(&stack, NULL) || sigaction(SIGSEGV, &action, NULL))
        give_up("alternate stack");
}

KEEP static void *alt_thread(void *arg)
{
    alt_install();
    char *page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        give_up("mmap");
    alt_touch(page);
    sink = 1;
    return arg;
}

#define ALT_CHAIN ".. < park < alt_handler < .. < alt_touch < alt_thread < .."

/* expect: a callback through libc's qsort */

KEEP static int qsort_compare(const void *left, const void *right)
{
    sink = park();
    return *(const int *)left - *(const int *)right;
}

KEEP static void *qsort_thread(void *arg)
{
    int numbers[] = {5, 3, 8, 1, 9, 2, 7, 4};
    qsort(numbers, sizeof(numbers) / sizeof(numbers[0]), sizeof(numbers[0]), qsort_compare);
    sink = (unsigned)numbers[0];
    return arg;
}

#define QSORT_CHAIN ".. < park < qsort_compare < .. < qsort_thread < .."

/* expect: blocked in a mutex, which main holds */

static pthread_mutex_t taken_mutex = PTHREAD_MUTEX_INITIALIZER;

KEEP static void mutex_take(void)
{
    in_place();
    sink = (unsigned)pthread_mutex_lock(&taken_mutex);
}

KEEP static void *mutex_thread(void *arg)
{
    mutex_take();
    sink = 2;
    return arg;
}

#define MUTEX_CHAIN ".. < mutex_take < mutex_thread < .."

/* expect: inside the vDSO, whenever the test's SIGSTOP finds it there: it tries until it does */

KEEP static void vdso_spin(void)
{
    struct timespec now;
    in_place();
    while (sink != 1234567 && clock_gettime(CLOCK_MONOTONIC, &now) == 0)
        ;
}

KEEP static void *vdso_thread(void *arg)
{
    vdso_spin();
    sink = 3;
    return arg;
}

#define VDSO_CHAIN ".. < vdso_spin < vdso_thread < .."

/* expect: frames whose size is known at run time only */

KEEP static unsigned long alloca_fill(char *bytes, size_t size)
{
    memset(bytes, 1, size);
    unsigned long result = park();
    sink = result;
    return result + (unsigned char)bytes[size / 2];
}

KEEP static unsigned long alloca_frame(size_t size)
{
    unsigned long result = 0;
    for (size_t i = 1; i < 4; i++) {
        char *bytes = alloca(size * i);
        result += i < 3 ? (unsigned long)bytes & 1 : alloca_fill(bytes, size * i);
    }
    sink = result;
    return result;
}

KEEP static unsigned long vla_frame(size_t size)
{
    char bytes[size];
    bytes[0] = (char)alloca_frame(size * 3 + 5);
    sink = (unsigned char)bytes[0];
    return (unsigned char)bytes[0];
}

KEEP static void *alloca_thread(void *arg)
{
    sink = vla_frame(777 + (size_t)arg);
    return arg;
}

#define ALLOCA_CHAIN ".. < park < alloca_fill < alloca_frame < vla_frame < alloca_thread < .."

/*
 * expect: a function that ends in a call: its return address lies behind its last byte, where the
 * next function may begin.
 */

KEEP static _Noreturn void noreturn_forever(void)
{
    for (;;)
        sink = park();
}

KEEP static _Noreturn void noreturn_caller(unsigned long code)
{
    sink = code;
    noreturn_forever();
}

KEEP static void *noreturn_thread(void *arg)
{
    if (arg == NULL)
        noreturn_caller(4);
    return arg;
}

#define NORETURN_CHAIN ".. < park < noreturn_forever < noreturn_caller < noreturn_thread < .."

/* expect: a tail call, which leaves no frame behind, from a function that had one */

KEEP static unsigned long tail_target(unsigned long value)
{
    unsigned long result = park();
    sink = result;
    return result + value;
}

KEEP static unsigned long tail_middle(unsigned long value)
{
    /* Something of its own to save and restore before the jump. */
    unsigned long first = spread(value), second = spread(first);
    return tail_target(first + second);
}

KEEP static void *tail_thread(void *arg)
{
    sink = tail_middle((unsigned long)arg);
    sink = 5;
    return arg;
}

#ifdef __OPTIMIZE__
#define TAIL_CHAIN ".. < park < tail_target < tail_thread < .."
#else
#define TAIL_CHAIN ".. < park < tail_target < tail_middle < tail_thread < .."
#endif

/* expect: main waits in poll */

KEEP static void poll_wait(void)
{
    struct pollfd never = {.fd = -1};
    in_place();
    sink = (unsigned)poll(&never, 1, -1);
}

#define POLL_CHAIN ".. < poll_wait < main < .. < _start"

static const struct {
    const char *name, *chain;
    void *(*run)(void *);
} threads[] = {
    {"recursion", RECURSE_CHAIN, recurse_thread},
    {"altstack", ALT_CHAIN, alt_thread},
    {"qsort", QSORT_CHAIN, qsort_thread},
    {"mutex", MUTEX_CHAIN, mutex_thread},
    {"vdso", VDSO_CHAIN, vdso_thread},
    {"alloca", ALLOCA_CHAIN, alloca_thread},
    {"noreturn", NORETURN_CHAIN, noreturn_thread},
    {"tailcall", TAIL_CHAIN, tail_thread},
};

#define THREAD_COUNT (sizeof(threads) / sizeof(threads[0]))

int main(void)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
    prctl(PR_SET_NAME, "poll");
    alarm(600);
    pthread_mutex_lock(&taken_mutex);
    for (size_t i = 0; i < THREAD_COUNT; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, threads[i].run, NULL) ||
            pthread_setname_np(thread, threads[i].name))
            give_up("thread");
        printf("%s: %s\n", threads[i].name, threads[i].chain);
    }
    printf("poll: %s\n", POLL_CHAIN);
    while (in_place_count() < THREAD_COUNT)
        usleep(1000);
    printf("ready\n");
    fflush(stdout);
    poll_wait();
    return 0;
}
