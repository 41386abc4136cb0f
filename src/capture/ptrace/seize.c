/* SPDX-License-Identifier: MIT */
#include "capture/ptrace/seize.h"

#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "base/vec.h"
#include "capture/ptrace/tracing.h"

#define PATIENCE_US 20000

static struct waited_queue *seizing; /* for the handler */

static bool has_room(struct waited_queue *queue)
{
    return vec_reserve(&queue->items, &queue->capacity, queue->count + 1, sizeof(*queue->items)) ==
           STATUS_OK;
}

static void add(struct waited_queue *queue, pid_t tid, int status)
{
    queue->items[queue->count++] = (struct waited){.tid = tid, .status = status};
}

/* It runs within seize_thread's system calls only, so that it may do what any function may. */
static void take_waited(int number)
{
    const int error = errno;
    int status;
    pid_t tid;

    (void)number;
    while (has_room(seizing) && (tid = waitpid(-1, &status, WNOHANG | __WALL)) > 0)
        add(seizing, tid, status);
    errno = error;
}

int seize_thread(struct ptrace_state *st, pid_t tid)
{
    const struct itimerval patience = {{0, PATIENCE_US}, {0, PATIENCE_US}};
    void (*other_handler)(int) = signal(SIGALRM, take_waited);
    struct itimerval other_timer;
    sigset_t alarm, other_signals;
    int error;

    seizing = &st->waited;
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    sigprocmask(SIG_UNBLOCK, &alarm, &other_signals);
    setitimer(ITIMER_REAL, &patience, &other_timer);
    error = ptrace(PTRACE_SEIZE, tid, NULL, tracing_options(st->options)) == 0 ? 0 : errno;
    setitimer(ITIMER_REAL, &other_timer, NULL);
    sigprocmask(SIG_SETMASK, &other_signals, NULL);
    signal(SIGALRM, other_handler);
    return error;
}

pid_t seize_next(struct ptrace_state *st, int *status)
{
    struct waited_queue *queue = &st->waited;

    if (queue->next < queue->count) {
        *status = queue->items[queue->next].status;
        return queue->items[queue->next++].tid;
    }
    queue->next = queue->count = 0;
    return waitpid(-1, status, WNOHANG | __WALL);
}

void seize_add_end(struct ptrace_state *st, pid_t tid)
{
    if (has_room(&st->waited))
        add(&st->waited, tid, SEIZE_STATUS_REPLACED);
}
