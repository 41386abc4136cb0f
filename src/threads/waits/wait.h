/* SPDX-License-Identifier: MIT */
/*
 * What a blocked thread waits for, and who holds it: recognised sample by sample, from the system
 * call, the call chain, and the memory around the lock. Each answer says whether it was read or
 * inferred.
 *
 * Waits and the objects waited for are interned: their numbers count from 0, and equal numbers are
 * equal things. An object is one of a program that a process runs, by its address (or descriptor);
 * a lock of another type than was there before, or where an ended thread had its stack, is another.
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

/* Beyond these an object is not known, and of a wait no more than its kind. */
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
    WAIT_RECEIVE, /* of an RTOS: a queue, to receive from it */
    WAIT_SEND,    /* to send to it */
    WAIT_EVENT,   /* of an RTOS: a flag, or that somebody notifies the thread */
    WAIT_FILE_LOCK,
    WAIT_FUTEX, /* of no kind that was recognised */
    WAIT_READ,  /* of a descriptor: read, recv and their like */
    WAIT_WRITE, /* write, send */
    WAIT_POLL,  /* poll, select, epoll_wait */
    WAIT_ACCEPT,
    WAIT_CONNECT,
    WAIT_SLEEP,   /* nanosleep, pause, poll of nothing */
    WAIT_CHILD,   /* wait4, waitid */
    WAIT_SIGNAL,  /* sigtimedwait, sigsuspend */
    WAIT_OTHER,   /* in another system call */
    WAIT_UNKNOWN, /* blocked, and nothing tells in what */
};
#define WAIT_KIND_COUNT (WAIT_UNKNOWN + 1)

/* "mutex", "rwlock (write)", …; static storage. */
const char *wait_kind_name(enum wait_kind kind);

/* What is lost while others have it: a mutex, rwlock, file lock, or what is done once. */
bool wait_is_lock(enum wait_kind kind);

/* Threads give it, be it as a lock; else it comes from the world outside. */
static inline bool wait_is_for_threads(enum wait_kind kind)
{
    return kind <= WAIT_FUTEX;
}

/* How something is known. */
enum wait_evidence {
    /* from the kernel, the chain's functions, or memory in the layout that their kind has */
    WAIT_READ_OFF,
    WAIT_INFERRED, /* from what fits */
};

struct wait_object {
    uint32_t pid;
    /* of the wait; WAIT_RWLOCK_READ for rwlocks in general, WAIT_RECEIVE for queues */
    enum wait_kind kind;
    uint64_t addr;    /* of the object, not of the futex in it; 0: it has none */
    uint32_t fd;      /* of the kinds that have one; of poll's several the first */
    uint32_t tid;     /* of WAIT_JOIN the thread that is waited for; else 0 */
    const char *name; /* "g_lock", "heap+0x12a0", "stack of worker (7)", "socket:[123]"; cleaned */
    const char *detail; /* "recursive, robust, PI", or ""; cleaned */
    /* By a variable of a thread that waited: "queue->lock in worker"; cleaned; NULL: none. */
    const char *variable;
};

struct wait {
    enum wait_kind kind;
    enum wait_evidence kind_evidence;
    uint32_t object; /* WAIT_NONE: none that is known */
    /* Of locks that know it, and of WAIT_JOIN the thread that is waited for; 0: not known. */
    uint32_t owner_tid;
    enum wait_evidence owner_evidence;
    /* The lock names an owner that is no thread of the process, or its memory is nonsense: why. */
    const char *doubt; /* static storage; NULL: none */
    uint32_t readers;  /* who hold a rwlock; 0: none, or not known */
    int64_t syscall;   /* -1: not known */
};

/* What is so at the moment of a sample, and is no part of what the thread waits for. */
struct wait_now {
    bool timed;  /* its system call ends by itself */
    bool over;   /* the futex is not as it waits for: it goes on when it looks again */
    bool shared; /* the futex may be of several processes: another may end the wait */
};

struct waits { /* to be read by others, changed by the functions below only */
    struct wait *list;
    size_t count, cap;
    struct wait_object *objects;
    size_t object_count, object_cap;
    struct waits_private *private;
};

/* All borrowed, and have to outlive it. */
MUST_CHECK enum status waits_create(const struct arch *arch, struct module_set *modules,
                                    struct names *names, struct waits **out);
void waits_destroy(struct waits *waits);

/*
 * Has locks named by the variables that lead to them, too, in samples whose chains have registers.
 * Borrowed.
 */
void waits_set_variables(struct waits *waits, struct variables *variables);

/* "queue->lock in worker (heap+0x12a0)", or its name alone. malloc'ed; NULL: out of memory. */
char *wait_object_text(const struct wait_object *object);

/* The process runs another program from now on: what it waits for is no longer what it was. */
MUST_CHECK enum status waits_process(struct waits *waits, uint32_t pid);

/*
 * What the threads of a process are called, for names of objects and to tell an owner from
 * nonsense. thread_ended: the tid is nobody's from now on.
 */
MUST_CHECK enum status waits_thread(struct waits *waits, const struct snap_thread *thread);
void waits_thread_ended(struct waits *waits, uint32_t pid, uint32_t tid);

/*
 * A C library was met of a version whose locks are not known: `why` says of the first which. What
 * its memory does not make sure has a doubt.
 */
bool waits_strange_library(const struct waits *waits, struct diag *why);

/* *wait is WAIT_NONE for a thread that is not blocked. Fails only for memory. */
MUST_CHECK enum status waits_find(struct waits *waits, const struct ingest_sample *sample,
                                  uint32_t *wait, struct wait_now *now);

#endif
