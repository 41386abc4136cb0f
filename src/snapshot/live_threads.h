/* SPDX-License-Identifier: MIT */
/*
 * Which threads of a stream are alive, by number and by process. Each has a slot; what is known of
 * it its user keeps in an array by slot. Slots of ended threads are used again.
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
    size_t next; /* slot + 1: of the next thread of the process, or slot that is free; 0: none */
    size_t previous; /* slot + 1 of the thread before, of the first one: of the last */
};

struct live_threads {         /* zeroed to begin with */
    struct map by_tid;        /* tid -> slot */
    struct map by_pid;        /* pid -> slot + 1 of the process's first thread */
    struct live_thread *list; /* owned, by slot */
    size_t count, cap;        /* slots that were ever used */
    size_t live_count;
    size_t free_first; /* slot + 1 of one that is free; 0: none */
};

void live_threads_deinit(struct live_threads *threads);
/* Forgets all threads and slots. */
void live_threads_clear(struct live_threads *threads);

/* The slot of the thread; LIVE_NONE: none that lives has this number. */
size_t live_threads_find(const struct live_threads *threads, uint32_t tid);
/* The slot of the process's first thread, and of the one behind; LIVE_NONE: there is none. */
size_t live_threads_of(const struct live_threads *threads, uint32_t pid);
size_t live_threads_next(const struct live_threads *threads, size_t slot);

/* A thread whose number no other has that lives. Only NO_MEMORY fails, which adds nothing. */
MUST_CHECK enum status live_threads_add(struct live_threads *threads, uint32_t pid, uint32_t tid,
                                        size_t *slot);
void live_threads_end(struct live_threads *threads, size_t slot);

#endif
