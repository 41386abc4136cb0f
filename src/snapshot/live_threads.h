/* SPDX-License-Identifier: MIT */
/*
 * The live threads of a stream, by number and by process. Each has a slot, an index into arrays of
 * the user's. Slots of ended threads are used again.
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
    bool live;
    /* slot + 1 of the process's next thread or, of a free slot, of the next free one; 0: none */
    size_t next;
    /* slot + 1 of the process's previous thread; of its first thread: of the last */
    size_t previous;
};

struct live_threads {         /* zero it */
    struct map by_tid;        /* tid -> slot */
    struct map by_pid;        /* pid -> slot + 1 of the process's first thread */
    struct live_thread *list; /* owned, by slot */
    size_t count, cap;        /* slots ever used */
    size_t live_count;
    size_t free_first; /* slot + 1 of the first free slot; 0: none */
};

void live_threads_deinit(struct live_threads *threads);
/* Forgets all threads and slots. */
void live_threads_clear(struct live_threads *threads);

/* Returns the live thread's slot; LIVE_NONE: none. */
size_t live_threads_find(const struct live_threads *threads, uint32_t tid);
/* Return the slots of the process's first thread and of the next one; LIVE_NONE: none. */
size_t live_threads_of(const struct live_threads *threads, uint32_t pid);
size_t live_threads_next(const struct live_threads *threads, size_t slot);

/* Adds a thread and sets *slot; no live thread may have this `tid`. NO_MEMORY adds nothing. */
MUST_CHECK enum status live_threads_add(struct live_threads *threads, uint32_t pid, uint32_t tid,
                                        size_t *slot);
void live_threads_end(struct live_threads *threads, size_t slot);

#endif
