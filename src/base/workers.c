/* SPDX-License-Identifier: MIT */
#include "base/workers.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <unistd.h>

struct work {
    enum status (*task)(void *context, size_t i);
    void *context;
    size_t count;
    pthread_mutex_t lock; /* guards what follows */
    size_t next;          /* the task to begin next */
    enum status status;   /* the result of task `failed`; OK: none has failed */
    size_t failed;
};

unsigned workers_available(void)
{
    cpu_set_t set;
    long online;

    if (sched_getaffinity(0, sizeof(set), &set) == 0)
        return CPU_COUNT(&set) > 0 ? (unsigned)CPU_COUNT(&set) : 1;
    online = sysconf(_SC_NPROCESSORS_ONLN); /* more cores than the set has bits */
    return online > 0 && online < WORKERS_MAX ? (unsigned)online : WORKERS_MAX;
}

/* Takes the next task. False: none is left, or one has failed. */
static bool take(struct work *work, size_t *i)
{
    bool more;

    pthread_mutex_lock(&work->lock);
    more = work->status == STATUS_OK && work->next < work->count;
    if (more)
        *i = work->next++;
    pthread_mutex_unlock(&work->lock);
    return more;
}

static void keep_failure(struct work *work, size_t i, enum status status)
{
    pthread_mutex_lock(&work->lock);
    if (work->status == STATUS_OK || i < work->failed) {
        work->status = status;
        work->failed = i;
    }
    pthread_mutex_unlock(&work->lock);
}

static void *run(void *context)
{
    struct work *work = context;
    size_t i;

    while (take(work, &i)) {
        enum status status = work->task(work->context, i);

        if (status != STATUS_OK)
            keep_failure(work, i, status);
    }
    return NULL;
}

enum status workers_run(unsigned jobs, size_t count, enum status (*task)(void *context, size_t i),
                        void *context)
{
    struct work work = {.task = task, .context = context, .count = count};
    pthread_t threads[WORKERS_MAX];
    size_t wanted = jobs < WORKERS_MAX ? jobs : WORKERS_MAX, begun = 0;

    if (wanted > count)
        wanted = count;
    pthread_mutex_init(&work.lock, NULL);
    while (begun + 1 < wanted && pthread_create(&threads[begun], NULL, run, &work) == 0)
        begun++;
    run(&work);
    for (size_t i = 0; i < begun; i++)
        pthread_join(threads[i], NULL);
    pthread_mutex_destroy(&work.lock);
    return work.status;
}
