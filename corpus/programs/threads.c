/*
 * Threads that wait, each in another way, and one that works.
 *
 * chain: .. < wait_mutex < mutex_thread < ..
 * chain: .. < wait_condition < condition_thread < ..
 * chain: .. < wait_semaphore < semaphore_thread < ..
 * chain: .. < wait_poll < poll_thread < ..
 * chain: .. < wait_read < read_thread < ..
 * chain: .. < wait_sleep < sleep_thread < ..
 * chain: step < steps*9 < work < work_thread < ..
 * chain: .. < main < ..
 */
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "common.h"

#define DEPTH 9

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static int ends[2];

KEEP static void wait_mutex(void)
{
    pthread_mutex_lock(&mutex);
    sink = spin(1);
}

KEEP static void wait_condition(void)
{
    pthread_mutex_lock(&other);
    while (running)
        pthread_cond_wait(&condition, &other);
}

KEEP static void wait_semaphore(void)
{
    while (sem_wait(&semaphore))
        sink = 1;
    sink = 2;
}

KEEP static void wait_poll(void)
{
    struct pollfd fd = {.fd = ends[0], .events = POLLIN};

    poll(&fd, 1, -1);
    sink = spin(1);
}

KEEP static void wait_read(void)
{
    char byte;

    sink = (unsigned)read(ends[0], &byte, 1);
    sink = spin(1);
}

KEEP static void wait_sleep(void)
{
    struct timespec time = {.tv_sec = 100000};

    nanosleep(&time, NULL);
    sink = spin(1);
}

KEEP static unsigned step(unsigned value)
{
    return spin(3) + value;
}

KEEP static unsigned steps(unsigned depth)
{
    unsigned result = depth > 1 ? steps(depth - 1) : step(depth);

    sink = result;
    return result + depth;
}

KEEP static void work(void)
{
    while (running)
        sink = steps(DEPTH);
}

#define THREAD(name, function)                                                                     \
    KEEP static void *name##_thread(void *arg)                                                     \
    {                                                                                              \
        function();                                                                                \
        sink = spin(1);                                                                            \
        return arg;                                                                                \
    }

THREAD(mutex, wait_mutex)
THREAD(condition, wait_condition)
THREAD(semaphore, wait_semaphore)
THREAD(poll, wait_poll)
THREAD(read, wait_read)
THREAD(sleep, wait_sleep)
THREAD(work, work)

int main(void)
{
    void *(*const functions[])(void *) = {mutex_thread, condition_thread, semaphore_thread,
                                          poll_thread,  read_thread,      sleep_thread,
                                          work_thread};
    struct timespec settle = {.tv_nsec = 300000000};
    pthread_t thread;

    if (pipe(ends) || sem_init(&semaphore, 0, 0))
        abort();
    pthread_mutex_lock(&mutex);
    for (unsigned i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
        if (pthread_create(&thread, NULL, functions[i], NULL))
            abort();
    nanosleep(&settle, NULL);
    ready();
    pthread_join(thread, NULL);
}
