/* SPDX-License-Identifier: MIT */
/*
 * Threads that get stuck, or do not, by the case's name:
 *
 *   two         left holds g_left and waits for g_right, right the other way round
 *   three       one holds g_table for writing and waits for g_second; the next holds that and waits
 *               for g_third; the last holds that and waits for g_table
 *   readers     as three, but one holds g_table for reading
 *   self        one thread locks g_left again
 *   lost        the signal comes before the wait for g_condition
 *   convoy      eight threads want g_left all the time and hold it long
 *   order       two threads take g_left and g_right in contradictory orders, never at once
 *   busy        eight threads take several locks, always in the same order
 *   dissolving  as two, but one waits with a time limit, gives up, and tries again
 *   processes   as two, but a process and its child, which end after four seconds
 *
 * "ready" is printed when all that gets stuck is stuck. A second argument "abort" ends the process
 * with a core then.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define THREADS 8

pthread_mutex_t g_left, g_right, g_second, g_third;
pthread_mutex_t g_locks[THREADS];
pthread_rwlock_t g_table = PTHREAD_RWLOCK_INITIALIZER;
pthread_cond_t g_condition = PTHREAD_COND_INITIALIZER;
pthread_barrier_t g_taken, g_round;
volatile unsigned long g_work;

static void sleep_ms(long ms)
{
    const struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};

    nanosleep(&time, NULL);
}

static void work(unsigned long count)
{
    while (count--)
        g_work++;
}

__attribute__((noinline)) void take_right(void)
{
    pthread_mutex_lock(&g_right);
    pthread_mutex_unlock(&g_right);
}

__attribute__((noinline)) void take_left(void)
{
    pthread_mutex_lock(&g_left);
    pthread_mutex_unlock(&g_left);
}

static void *left(void *unused)
{
    pthread_mutex_lock(&g_left);
    pthread_barrier_wait(&g_taken);
    take_right();
    pthread_mutex_unlock(&g_left);
    return unused;
}

static void *right(void *unused)
{
    pthread_mutex_lock(&g_right);
    pthread_barrier_wait(&g_taken);
    take_left();
    pthread_mutex_unlock(&g_right);
    return unused;
}

static void *first(void *for_reading)
{
    if (for_reading)
        pthread_rwlock_rdlock(&g_table);
    else
        pthread_rwlock_wrlock(&g_table);
    pthread_barrier_wait(&g_taken);
    pthread_mutex_lock(&g_second);
    return NULL;
}

static void *second(void *unused)
{
    pthread_mutex_lock(&g_second);
    pthread_barrier_wait(&g_taken);
    pthread_mutex_lock(&g_third);
    return unused;
}

static void *third(void *unused)
{
    pthread_mutex_lock(&g_third);
    pthread_barrier_wait(&g_taken);
    pthread_rwlock_wrlock(&g_table);
    return unused;
}

static void *self(void *unused)
{
    pthread_mutex_lock(&g_left);
    pthread_barrier_wait(&g_taken);
    take_left();
    return unused;
}

static void *lost(void *unused)
{
    pthread_mutex_lock(&g_left);
    pthread_cond_signal(&g_condition);
    pthread_barrier_wait(&g_taken);
    pthread_cond_wait(&g_condition, &g_left);
    return unused;
}

static void *convoy(void *unused)
{
    pthread_barrier_wait(&g_taken);
    for (;;) {
        pthread_mutex_lock(&g_left);
        sleep_ms(3);
        pthread_mutex_unlock(&g_left);
    }
    return unused;
}

/*
 * In each round one thread takes one lock and then the other, which a third holds meanwhile; so a
 * fourth that wants the one waits for a thread that waits. The orders change, and never meet.
 */
static void *order(void *backwards)
{
    pthread_barrier_wait(&g_taken);
    for (unsigned round = 0;; round++) {
        pthread_barrier_wait(&g_round);
        if ((round & 1) != (backwards != NULL))
            continue;
        sleep_ms(20);
        pthread_mutex_lock(backwards ? &g_right : &g_left);
        pthread_mutex_lock(backwards ? &g_left : &g_right);
        pthread_mutex_unlock(&g_left);
        pthread_mutex_unlock(&g_right);
    }
    return NULL;
}

static void *look(void *late)
{
    pthread_barrier_wait(&g_taken);
    for (unsigned round = 0;; round++) {
        pthread_mutex_t *lock = (round & 1) == (late != NULL) ? &g_right : &g_left;

        pthread_barrier_wait(&g_round);
        sleep_ms(late ? 80 : 0);
        pthread_mutex_lock(lock);
        sleep_ms(late ? 0 : 160);
        pthread_mutex_unlock(lock);
    }
    return NULL;
}

static void *busy(void *number)
{
    unsigned seed = (unsigned)(size_t)number + 1;

    pthread_barrier_wait(&g_taken);
    for (;;) {
        int low, high;

        seed = seed * 1103515245 + 12345;
        low = (int)(seed >> 16) % (THREADS - 1);
        high = low + 1 + (int)(seed >> 20) % (THREADS - 1 - low);
        pthread_mutex_lock(&g_locks[low]);
        work(200);
        pthread_mutex_lock(&g_locks[high]);
        work(seed >> 16 & 0x3ff);
        if ((seed >> 24) % 64 == 0)
            sleep_ms(1);
        pthread_mutex_unlock(&g_locks[high]);
        pthread_mutex_unlock(&g_locks[low]);
    }
    return NULL;
}

static void *dissolving(void *unused)
{
    pthread_mutex_lock(&g_left);
    pthread_barrier_wait(&g_taken);
    for (;;) {
        struct timespec until;

        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 50000000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        if (pthread_mutex_timedlock(&g_right, &until) == 0)
            pthread_mutex_unlock(&g_right);
    }
    return unused;
}

struct part {
    void *(*function)(void *argument);
    void *argument;
    const char *name;
};

static pthread_t start(const struct part *part)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, part->function, part->argument) != 0)
        exit(1);
    pthread_setname_np(thread, part->name);
    return thread;
}

/* Error-checking where asked for: then also musl's mutexes know their owner. */
static void init(pthread_mutex_t *mutex)
{
    pthread_mutexattr_t attributes;

    pthread_mutexattr_init(&attributes);
    if (getenv("DEADLOCKS_RECURSIVE"))
        pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(mutex, &attributes);
}

static int run(const struct part *parts, unsigned count, int ends)
{
    pthread_t thread = pthread_self();

    pthread_barrier_init(&g_taken, NULL, count + 1);
    for (unsigned i = 0; i < count; i++)
        thread = start(&parts[i]);
    pthread_barrier_wait(&g_taken);
    sleep_ms(300);
    puts("ready");
    fflush(stdout);
    if (ends)
        abort();
    pthread_join(thread, NULL);
    return 0;
}

struct shared {
    pthread_mutex_t locks[2];
    pthread_barrier_t taken;
};

static int run_processes(void)
{
    struct shared *shared =
        mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pthread_barrierattr_t barrier;
    pthread_mutexattr_t mutex;
    int is_child;

    pthread_mutexattr_init(&mutex);
    pthread_mutexattr_setpshared(&mutex, PTHREAD_PROCESS_SHARED);
    pthread_barrierattr_init(&barrier);
    pthread_barrierattr_setpshared(&barrier, PTHREAD_PROCESS_SHARED);
    pthread_barrier_init(&shared->taken, &barrier, 2);
    pthread_mutex_init(&shared->locks[0], &mutex);
    pthread_mutex_init(&shared->locks[1], &mutex);
    is_child = fork() == 0;
    alarm(4);
    pthread_mutex_lock(&shared->locks[is_child]);
    pthread_barrier_wait(&shared->taken);
    return pthread_mutex_lock(&shared->locks[!is_child]);
}

int main(int argc, char **argv)
{
    static const struct part two[] = {{left, NULL, "left"}, {right, NULL, "right"}};
    static const struct part three[] = {{first, NULL, "first"},
                                        {second, NULL, "second"},
                                        {third, NULL, "third"}};
    static const struct part readers[] = {{first, &g_table, "first"},
                                          {second, NULL, "second"},
                                          {third, NULL, "third"}};
    static const struct part alone[] = {{self, NULL, "self"}};
    static const struct part one_lost[] = {{lost, NULL, "lost"}};
    static const struct part orders[] = {{order, NULL, "forth"},
                                         {order, &g_left, "back"},
                                         {look, NULL, "holds"},
                                         {look, &g_left, "wants"}};
    static const struct part dissolves[] = {{right, NULL, "right"}, {dissolving, NULL, "gives-up"}};
    struct part many[THREADS];
    const char *name = argc > 1 ? argv[1] : "";
    int ends = argc > 2 && strcmp(argv[2], "abort") == 0;

    pthread_barrier_init(&g_round, NULL, 4);
    init(&g_left);
    init(&g_right);
    init(&g_second);
    init(&g_third);
    for (size_t i = 0; i < THREADS; i++) {
        init(&g_locks[i]);
        many[i] = (struct part){strcmp(name, "busy") == 0 ? busy : convoy, (void *)i, "worker"};
    }
    if (strcmp(name, "two") == 0)
        return run(two, 2, ends);
    if (strcmp(name, "three") == 0)
        return run(three, 3, ends);
    if (strcmp(name, "readers") == 0)
        return run(readers, 3, ends);
    if (strcmp(name, "self") == 0)
        return run(alone, 1, ends);
    if (strcmp(name, "lost") == 0)
        return run(one_lost, 1, ends);
    if (strcmp(name, "order") == 0)
        return run(orders, 4, ends);
    if (strcmp(name, "processes") == 0)
        return run_processes();
    if (strcmp(name, "dissolving") == 0)
        return run(dissolves, 2, ends);
    return run(many, THREADS, ends);
}
