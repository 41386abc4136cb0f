/* SPDX-License-Identifier: MIT */
/*
 * The live threads of a snapshot, by tid and by process. Each thread has a slot, a number that the
 * caller may use as an index in arrays of its own. Slots of ended threads are used again.
 */
#ifndef SNAPSHOT_LIVE_THREADS_H
#define SNAPSHOT_LIVE_THREADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "base/status.h"

#define LIVE_NONE SIZE_MAX

struct live_thread {
    uint32_t pid, tid;
    bool live; /* false: the slot is free */
    /* Slot + 1 of the process's next thread or, in a free slot, of the next free slot; 0: none. */
    size_t next;
    /* Slot + 1 of the process's previous thread; in its first thread: of its last one. */
    size_t previous;
};

struct live_threads {         /* zero it */
    struct map by_tid;        /* tid -> slot */
    struct map by_pid;        /* pid -> slot + 1 of the process's first thread */
    struct live_thread *list; /* owned, by slot */
    size_t count, cap;        /* slots ever used, live or free */
    size_t live_count;        /* number of live threads */
    size_t free_first;        /* slot + 1 of the first free slot; 0: none */
};

void live_threads_deinit(struct live_threads *threads);
/* Forgets all threads and slots. */
void live_threads_clear(struct live_threads *threads);

/* Returns the slot of the live thread `tid`; LIVE_NONE: there is none. */
size_t live_threads_find(const struct live_threads *threads, uint32_t tid);
/* As live_threads_find; at once if the thread is in slot `guess`, which may be any number. */
size_t live_threads_find_at(const struct live_threads *threads, size_t guess, uint32_t tid);
/*
 * Return the slot of the first live thread of process `pid`, and of the process's next thread
 * behind that in `slot`; LIVE_NONE: there is none.
 */
size_t live_threads_of(const struct live_threads *threads, uint32_t pid);
size_t live_threads_next(const struct live_threads *threads, size_t slot);

/* Adds a thread and sets *slot; no live thread may have this `tid`. NO_MEMORY: nothing is added. */
MUST_CHECK enum status live_threads_add(struct live_threads *threads, uint32_t pid, uint32_t tid,
                                        size_t *slot);
/* Removes the live thread in `slot`, which is free then. */
void live_threads_end(struct live_threads *threads, size_t slot);

#endif
