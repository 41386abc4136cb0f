/* SPDX-License-Identifier: MIT */
/*
 * Recognises what a blocked thread waits for, and who holds it: sample by sample, from the system
 * call, the call chain, and the memory around the lock. Each answer says whether it was read or
 * inferred.
 *
 * Waits and the objects that threads wait for are interned: equal waits (objects) have the same
 * number, from 0 on. An object belongs to a program that a process runs, and is known by its
 * address or descriptor. Where memory is used again, for a lock of another type or after the thread
 * ended on whose stack the lock was, the new lock is another object.
 */
#ifndef THREADS_WAITS_WAIT_H
#define THREADS_WAITS_WAIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/arch.h"
#include "base/diag.h"
#include "base/status.h"
#include "graph/ingest_sinks.h"
#include "graph/names.h"
#include "symbol/module.h"
#include "variables/variables.h"

#define WAIT_NONE UINT32_MAX

/*
 * The most objects and waits that are kept: further objects are WAIT_NONE, further waits have a
 * kind and nothing else.
 */
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
    WAIT_RECEIVE, /* for something in an RTOS's queue, to receive it */
    WAIT_SEND,    /* for room in an RTOS's queue, to send something */
    WAIT_EVENT,   /* for a flag or a notification of an RTOS */
    WAIT_FILE_LOCK,
    WAIT_FUTEX, /* a futex that is part of no kind of lock that was recognised */
    WAIT_READ,  /* to read from a descriptor: in read, recv ... */
    WAIT_WRITE, /* to write to a descriptor: in write, send ... */
    WAIT_POLL,  /* in poll, select or epoll_wait */
    WAIT_ACCEPT,
    WAIT_CONNECT,
    WAIT_SLEEP,   /* for time to pass: in nanosleep, pause, poll without descriptors */
    WAIT_CHILD,   /* for a child process: in wait4 or waitid */
    WAIT_SIGNAL,  /* for a signal: in sigtimedwait or sigsuspend */
    WAIT_OTHER,   /* in another system call */
    WAIT_UNKNOWN, /* blocked, but not known in what system call */
};
#define WAIT_KIND_COUNT (WAIT_UNKNOWN + 1)

/* Returns the kind's name: "mutex", "rwlock (write)", ...; static storage. */
const char *wait_kind_name(enum wait_kind kind);

/*
 * Whether the kind waits until another thread or process lets go: mutex, rwlock, once, file lock.
 */
bool wait_is_lock(enum wait_kind kind);

/*
 * Whether other threads end such a wait: all kinds up to WAIT_FUTEX (locks, conditions, queues
 * ...), not I/O, time or children.
 */
static inline bool wait_is_for_threads(enum wait_kind kind)
{
    return kind <= WAIT_FUTEX;
}

/* How a kind or an owner is known. */
enum wait_evidence {
    /*
     * read: told by the kernel, functions of the chain, or memory in the layout of the kind that
     * they name
     */
    WAIT_READ_OFF,
    WAIT_INFERRED, /* nothing names the kind: it is the only one whose layout fits the memory */
};

struct wait_object {
    uint32_t pid;
    /*
     * the kind of the waits for it; WAIT_RWLOCK_READ for all rwlocks, WAIT_RECEIVE for all queues
     */
    enum wait_kind kind;
    uint64_t addr; /* run-time address of its beginning, not of its futex; 0: none */
    uint32_t fd;   /* for kinds that wait for descriptors: the first of these */
    uint32_t tid;  /* WAIT_JOIN: tid of the thread that is joined; else 0 */
    /* its name for reports: "g_lock", "heap+0x12a0", "socket:[123]"; no control characters */
    const char *name;
    const char *detail; /* "recursive, robust, PI", or ""; no control characters */
    /*
     * as a thread's variables name it: "queue->lock in worker"; no control characters; NULL: not
     * known
     */
    const char *variable;
};

struct wait {
    enum wait_kind kind;
    enum wait_evidence kind_evidence;
    uint32_t object; /* what it waits for: index in waits.objects; WAIT_NONE: not known */
    /*
     * tid of the thread that holds the lock; WAIT_JOIN: of the thread that is joined; 0: not known
     */
    uint32_t owner_tid;
    enum wait_evidence owner_evidence;
    /*
     * why what the memory says may be wrong: it fits no such lock, or its owner is no known thread
     */
    const char *doubt; /* a static text; NULL: there is no doubt */
    /* number of threads that hold the rwlock for reading; 0: none, or not known */
    uint32_t readers;
    int64_t syscall; /* number of the system call; -1: not known */
};

/* Facts of a wait at the moment of one sample; the next sample may have others. */
struct wait_now {
    bool timed;  /* the wait has a timeout */
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

/*
 * Makes an empty recogniser; *out is the caller's. `arch`, `modules` and `names` are borrowed and
 * must outlive it. Fails only with NO_MEMORY.
 */
MUST_CHECK enum status waits_create(const struct arch *arch, struct module_set *modules,
                                    struct names *names, struct waits **out);
void waits_destroy(struct waits *waits);

/*
 * Makes waits_find name locks also by the variables that lead to them; the samples' chains then
 * need registers. `variables` is borrowed.
 */
void waits_set_variables(struct waits *waits, struct variables *variables);

/*
 * Returns the object's variable and name, "queue->lock in worker (heap+0x12a0)", or without a
 * variable its name. malloc'ed, the caller frees it; NULL: out of memory.
 */
char *wait_object_text(const struct wait_object *object);

/*
 * Tells that the process runs another program from now on: objects found before are none of its.
 * Fails only with NO_MEMORY.
 */
MUST_CHECK enum status waits_process(struct waits *waits, uint32_t pid);

/*
 * waits_thread: adds a thread, or gives a known one its new name; fails only with NO_MEMORY.
 * waits_thread_ended: removes a thread; its tid may be used again. Known threads give names to
 * objects on their stacks, and an owner must be a known thread.
 */
MUST_CHECK enum status waits_thread(struct waits *waits, const struct snap_thread *thread);
void waits_thread_ended(struct waits *waits, uint32_t pid, uint32_t tid);

/*
 * Whether a process has a glibc of a version whose locks are not known; if so, fills `why` with the
 * first such version and a hint. Waits for its locks have a doubt unless the memory fits a known
 * layout beyond doubt.
 */
bool waits_strange_library(const struct waits *waits, struct diag *why);

/*
 * Sets *wait to the number of the sample's wait (WAIT_NONE: the thread is not blocked), and *now.
 * Fails only with NO_MEMORY.
 */
MUST_CHECK enum status waits_find(struct waits *waits, const struct ingest_sample *sample,
                                  uint32_t *wait, struct wait_now *now);

#endif
