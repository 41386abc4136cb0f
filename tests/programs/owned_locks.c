/* SPDX-License-Identifier: MIT */
/*
 * Threads that wait for locks which are parts of something: on the heap, on stacks, in a global.
 *
 *   left, right  each holds the lock of a queue and waits for the other's
 *   worker       waits for the lock of a queue that main holds
 *   reader       waits for a condition that is in the queue, behind other members
 *   pool         waits for a lock in an array of its caller's, which it was given a pointer to
 *   server       waits for a queue's lock that a struct on its stack points to
 *   table        waits for the lock of an element of a global array
 *
 * "ready" is printed when all of them wait.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))

struct queue {
    long count;
    pthread_mutex_t lock;
    union {
        long wanted;
        char *text;
    } what;
    pthread_cond_t ready;
};

struct slot {
    int number;
    pthread_mutex_t lock;
};

struct pool {
    const char *name;
    struct slot slots[4];
};

struct server {
    int descriptor;
    struct queue *queue;
};

struct slot g_table[3];
struct queue *g_left, *g_right, *g_queue;
pthread_barrier_t g_taken;
volatile long g_work;

static struct queue *make_queue(void)
{
    struct queue *queue = calloc(1, sizeof(*queue));

    pthread_mutex_init(&queue->lock, NULL);
    pthread_cond_init(&queue->ready, NULL);
    return queue;
}

NOINLINE static void move(struct queue *from, struct queue *to)
{
    pthread_mutex_lock(&from->lock);
    pthread_barrier_wait(&g_taken);
    pthread_mutex_lock(&to->lock);
    to->count += from->count;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
}

static void *left(void *unused)
{
    move(g_left, g_right);
    return unused;
}

static void *right(void *unused)
{
    move(g_right, g_left);
    return unused;
}

NOINLINE static void take(struct queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    queue->count++;
    pthread_mutex_unlock(&queue->lock);
}

static void *worker(void *given)
{
    take(given);
    g_work++;
    return NULL;
}

NOINLINE static long await(struct queue *queue)
{
    long count;

    pthread_mutex_lock(&queue->lock);
    while (queue->count == 0)
        pthread_cond_wait(&queue->ready, &queue->lock);
    count = queue->count;
    pthread_mutex_unlock(&queue->lock);
    return count;
}

static void *reader(void *unused)
{
    g_work += await(make_queue());
    return unused;
}

NOINLINE static void enter(pthread_mutex_t *lock)
{
    pthread_mutex_lock(lock);
    g_work++;
}

static void *pool(void *unused)
{
    struct pool pool = {.name = "pool"};

    for (unsigned i = 0; i < 4; i++) {
        pool.slots[i].number = (int)i;
        pthread_mutex_init(&pool.slots[i].lock, NULL);
    }
    enter(&pool.slots[2].lock);
    enter(&pool.slots[2].lock);
    g_work += pool.slots[1].number;
    return unused;
}

NOINLINE static void serve(struct server *server)
{
    pthread_mutex_lock(&server->queue->lock);
    g_work += server->descriptor;
    server->queue->count++;
}

static void *server(void *unused)
{
    struct server server = {.descriptor = 3, .queue = make_queue()};

    serve(&server);
    serve(&server);
    g_work += server.queue->count;
    return unused;
}

NOINLINE static void look(struct slot *slot)
{
    pthread_mutex_lock(&slot->lock);
    slot->number++;
}

static void *table(void *unused)
{
    look(&g_table[1]);
    look(&g_table[1]);
    return unused;
}

static void start(const char *name, void *(*run)(void *), void *given)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, run, given) != 0)
        exit(2);
    pthread_setname_np(thread, name);
}

int main(void)
{
    const struct timespec time = {.tv_nsec = 300000000};

    g_left = make_queue();
    g_right = make_queue();
    g_queue = make_queue();
    pthread_mutex_init(&g_table[1].lock, NULL);
    pthread_barrier_init(&g_taken, NULL, 2);
    pthread_mutex_lock(&g_queue->lock);
    start("left", left, NULL);
    start("right", right, NULL);
    start("worker", worker, g_queue);
    start("reader", reader, NULL);
    start("pool", pool, NULL);
    start("server", server, NULL);
    start("table", table, NULL);
    nanosleep(&time, NULL);
    puts("ready");
    fflush(stdout);
    for (;;)
        pause();
}
