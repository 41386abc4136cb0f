/* SPDX-License-Identifier: MIT */
#include "capture/ptrace/seize.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/procfs.h"
#include "base/vec.h"

#define PATIENCE_US 2000

static sigjmp_buf given_up; /* for the handler */

/* If the handler returned, the kernel would make the waiting ptrace call again. */
static void give_up(int number)
{
    siglongjmp(given_up, number);
}

static bool has_room(struct waited_queue *queue)
{
    return vec_reserve(&queue->items, &queue->capacity, queue->count + 1, sizeof(*queue->items)) ==
           STATUS_OK;
}

static void add(struct waited_queue *queue, pid_t tid, int status)
{
    queue->items[queue->count++] = (struct waited){.tid = tid, .status = status};
}

static void take_waited(struct waited_queue *queue)
{
    int status;
    pid_t tid;

    while (has_room(queue) && (tid = waitpid(-1, &status, WNOHANG | __WALL)) > 0)
        add(queue, tid, status);
}

long seize_options(const struct capture_options *options)
{
    long flags = PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC;

    if (options->tid_count)
        flags = PTRACE_O_TRACEEXEC;
    if (options->follow_forks)
        flags |= PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK;
    return flags;
}

/* Returns 0, ETIMEDOUT, or ptrace(2)'s errno. SIGALRM is blocked before and after. */
static int try_seize(const struct ptrace_state *st, pid_t tid, const sigset_t *alarm)
{
    const struct itimerval patience = {.it_value = {0, PATIENCE_US}};
    volatile int error = ETIMEDOUT;

    if (sigsetjmp(given_up, 0) == 0) {
        setitimer(ITIMER_REAL, &patience, NULL);
        sigprocmask(SIG_UNBLOCK, alarm, NULL);
        error = ptrace(PTRACE_SEIZE, tid, NULL, seize_options(st->options)) == 0 ? 0 : errno;
        sigprocmask(SIG_BLOCK, alarm, NULL);
    }
    /* Did the time end just after the call had succeeded? */
    if (error == ETIMEDOUT && proc_status(tid, "TracerPid", 0) == (uint64_t)getpid())
        error = 0;
    return error;
}

int seize_thread(struct ptrace_state *st, pid_t tid, bool patient)
{
    const struct itimerval none = {0};
    void (*other_handler)(int);
    struct itimerval other_timer;
    sigset_t alarm, other_signals;
    int error;

    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    sigprocmask(SIG_BLOCK, &alarm, &other_signals);
    setitimer(ITIMER_REAL, &none, &other_timer);
    other_handler = signal(SIGALRM, give_up);
    while ((error = try_seize(st, tid, &alarm)) == ETIMEDOUT) {
        take_waited(&st->waited);
        if (!patient)
            break;
    }
    setitimer(ITIMER_REAL, &none, NULL);
    signal(SIGALRM, SIG_IGN); /* drops a pending one */
    signal(SIGALRM, other_handler);
    setitimer(ITIMER_REAL, &other_timer, NULL);
    sigprocmask(SIG_SETMASK, &other_signals, NULL);
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
