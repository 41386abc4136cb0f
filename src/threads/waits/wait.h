/* SPDX-License-Identifier: MIT */
/*
 * Recognises what a blocked thread waits for, and who holds it: sample by sample, from the system
 * call, the call chain, and the memory around the lock. Each answer says whether it was read or
 * inferred.
 *
 * Waits and the objects that threads wait for are interned: equal ones have the same number, from 0
 * on. An object belongs to a program that a process runs, and is known by its address or
 * descriptor. Where memory is used again, for a lock of another type or after the thread ended on
 * whose stack the lock was, the new lock is another object.
 */
#ifndef THREADS_WAITS_WAIT_H
#define THREADS_WAITS_WAIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/arch.h"
#include "base/diag.h"
#include "base/status.h"
#include "graph/ingest.h"
#include "graph/names.h"
#include "symbol/module.h"
#include "variables/variables.h"

#define WAIT_NONE UINT32_MAX

/* Further objects are WAIT_NONE; further waits have a kind and nothing else. */
#define WAIT_OBJECTS_MAX (UINT32_C(1) << 20)
#define WAITS_MAX        (UINT32_C(1) << 22)

enum wait_kind {
    WAIT_MUTEX,
    WAIT_RWLOCK_READ,
    WAIT_RWLOCK_WRITE,
    WAIT_CONDITION,
    WAIT_SEMAPHORE,
    WAIT_BARRIER,
    WAIT_JOIN,
    WAIT_ONCE,
    WAIT_RECEIVE, /* RTOS: from a queue */
    WAIT_SEND,    /* RTOS: to a queue */
    WAIT_EVENT,   /* RTOS: for a flag or a notification */
    WAIT_FILE_LOCK,
    WAIT_FUTEX, /* a futex of no kind that was recognised */
    WAIT_READ,  /* of a descriptor: read, recv ... */
    WAIT_WRITE, /* write, send ... */
    WAIT_POLL,  /* poll, select, epoll_wait */
    WAIT_ACCEPT,
    WAIT_CONNECT,
    WAIT_SLEEP,   /* nanosleep, pause, poll of nothing */
    WAIT_CHILD,   /* wait4, waitid */
    WAIT_SIGNAL,  /* sigtimedwait, sigsuspend */
    WAIT_OTHER,   /* in another system call */
    WAIT_UNKNOWN, /* blocked, not known in what */
};
#define WAIT_KIND_COUNT (WAIT_UNKNOWN + 1)

/* Returns "mutex", "rwlock (write)", ...; static storage. */
const char *wait_kind_name(enum wait_kind kind);

/* Whether threads wait until others let go: mutex, rwlock, once, file lock. */
bool wait_is_lock(enum wait_kind kind);

/* Whether threads end the wait: locks, conditions, queues ... up to WAIT_FUTEX; not I/O or time. */
static inline bool wait_is_for_threads(enum wait_kind kind)
{
    return kind <= WAIT_FUTEX;
}

/* How something is known. */
enum wait_evidence {
    /* from the kernel, functions of the chain, or memory in the layout of the named kind */
    WAIT_READ_OFF,
    WAIT_INFERRED, /* the one layout that the memory fits, without a name */
};

struct wait_object {
    uint32_t pid;
    /* of the wait; WAIT_RWLOCK_READ for all rwlocks, WAIT_RECEIVE for all queues */
    enum wait_kind kind;
    uint64_t addr;    /* where the object begins, not its futex; 0: none */
    uint32_t fd;      /* of kinds with descriptors: the first one */
    uint32_t tid;     /* WAIT_JOIN: the thread that is joined; else 0 */
    const char *name; /* "g_lock", "heap+0x12a0", "stack of worker (7)", "socket:[123]"; cleaned */
    const char *detail; /* "recursive, robust, PI", or ""; cleaned */
    /* as a thread's variables name it: "queue->lock in worker"; cleaned; NULL: not known */
    const char *variable;
};

struct wait {
    enum wait_kind kind;
    enum wait_evidence kind_evidence;
    uint32_t object; /* WAIT_NONE: not known */
    /* of locks that name their owner; WAIT_JOIN: the thread that is joined; 0: not known */
    uint32_t owner_tid;
    enum wait_evidence owner_evidence;
    /* why the memory may be wrong: no such lock, or the owner is no known thread */
    const char *doubt; /* static storage; NULL: none */
    uint32_t readers;  /* threads that hold the rwlock for reading; 0: none, or not known */
    int64_t syscall;   /* -1: not known */
};

/* State of a wait at the moment of a sample. */
struct wait_now {
    bool timed;  /* the system call has a timeout */
    bool over;   /* the futex has changed: the thread goes on when it gets to look */
    bool shared; /* the futex may be shared with other processes, which may end the wait */
};

struct waits { /* read by others, changed by the functions below only */
    struct wait *list;
    size_t count, cap;
    struct wait_object *objects;
    size_t object_count, object_cap;
    struct waits_private *private;
};

/* Borrows all arguments, which have to outlive *out. Fails only with NO_MEMORY. */
MUST_CHECK enum status waits_create(const struct arch *arch, struct module_set *modules,
                                    struct names *names, struct waits **out);
void waits_destroy(struct waits *waits);

/*
 * Lets later samples name locks by variables that lead to them, too; their chains need registers.
 * Borrows `variables`.
 */
void waits_set_variables(struct waits *waits, struct variables *variables);

/*
 * Returns "queue->lock in worker (heap+0x12a0)", or the name alone. malloc'ed; NULL: out of memory.
 */
char *wait_object_text(const struct wait_object *object);

/* Tells that the process runs another program from now on, whose objects are others. */
MUST_CHECK enum status waits_process(struct waits *waits, uint32_t pid);

/*
 * Adds a thread or its new name; removes one, whose tid is free then. Threads name objects, and
 * tell owners from nonsense.
 */
MUST_CHECK enum status waits_thread(struct waits *waits, const struct snap_thread *thread);
void waits_thread_ended(struct waits *waits, uint32_t pid, uint32_t tid);

/*
 * Whether a glibc was met whose version's locks are not known; then fills `why` with the first one
 * and a hint. Such locks have a doubt where their memory is not sure.
 */
bool waits_strange_library(const struct waits *waits, struct diag *why);

/*
 * Sets *wait to the sample's wait (WAIT_NONE: the thread is not blocked), and *now. Fails only with
 * NO_MEMORY.
 */
MUST_CHECK enum status waits_find(struct waits *waits, const struct ingest_sample *sample,
                                  uint32_t *wait, struct wait_now *now);

#endif
