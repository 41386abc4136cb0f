/* SPDX-License-Identifier: MIT */
/*
 * Private to the recogniser of waits: which threads there are now, what they are called, and where
 * their stacks are.
 */
#ifndef THREADS_WAITS_WAIT_THREADS_H
#define THREADS_WAITS_WAIT_THREADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "base/status.h"
#include "snapshot/event.h"
#include "threads/waits/wait.h"

/* What was recognised of a thread's last sample, and is so of its repeats. */
struct known_wait {
    uint64_t epoch; /* of what it depends on besides the sample (wait_private.h); 0: nothing was */
    uint32_t chain, wait;
    struct wait_now now;
};

struct wait_thread {
    uint32_t pid, tid;
    uint32_t inner_tid; /* as locks name it */
    bool is_live;
    char *name; /* owned */
    /* Of its last sample: where its stack's mapping begins, its SP, and the end. 0: not known. */
    uint64_t stack_map_addr, stack_sp, stack_end;
    struct known_wait known;
    /*
     * When memory first named it, since it ran, as the owner of what it waits for; 0: it does not.
     */
    uint64_t got_ns;
    size_t next_free; /* of a place that is free: the next one, plus 1 */
};

struct wait_threads { /* zeroed it is empty */
    struct wait_thread *list;
    size_t count, cap;
    size_t first_free; /* plus 1; 0: none */
    struct map live;   /* tid -> index */
    struct map inner;  /* pid << 32 | inner_tid -> index, where that is another than the tid */
};

void wait_threads_deinit(struct wait_threads *threads);

/* New, or under a new name. */
MUST_CHECK enum status wait_threads_add(struct wait_threads *threads,
                                        const struct snap_thread *thread);
void wait_threads_remove(struct wait_threads *threads, uint32_t pid, uint32_t tid);

/* NULL: no thread that is known has this tid. */
struct wait_thread *wait_threads_find(const struct wait_threads *threads, uint32_t tid);

/*
 * The thread that a lock of the process names so: in the process's own pid namespace. `is_shared`:
 * it may be another process's. NULL.
 */
const struct wait_thread *wait_threads_owner(const struct wait_threads *threads, uint32_t pid,
                                             uint32_t tid, bool is_shared);

/* Is the address in what its last sample showed of its stack? */
bool wait_threads_on_stack(const struct wait_thread *thread, uint64_t addr);

/* The thread of the process on whose stack the address is, or NULL. */
const struct wait_thread *wait_threads_stack(const struct wait_threads *threads, uint32_t pid,
                                             uint64_t addr);

#endif
