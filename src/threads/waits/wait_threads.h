/* SPDX-License-Identifier: MIT */
/*
 * Private to the recogniser of waits: the live threads, their names, and where their stacks are.
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

/* The wait of a thread's last sample, kept for its repeats. */
struct known_wait {
    uint64_t epoch; /* of struct waits_private, when it was recognised; 0: do not use */
    uint32_t chain, wait;
    struct wait_now now;
};

struct wait_thread {
    uint32_t pid, tid;
    uint32_t inner_tid; /* in the process's own pid namespace, as locks name it */
    bool is_live;
    char *name; /* owned */
    /* From its last sample with a stack: the mapping's begin, captured begin, end; 0: not known. */
    uint64_t stack_map_addr, stack_sp, stack_end;
    struct known_wait known;
    uint64_t got_ns;  /* since when memory names it as owner of what it waits for; 0: it does not */
    size_t next_free; /* if not is_live: index of the next free place, plus 1; 0: none */
};

struct wait_threads { /* zeroed: empty */
    struct wait_thread *list;
    size_t count, cap;
    size_t first_free; /* index plus 1; 0: none */
    struct map live;   /* tid -> index */
    struct map inner;  /* pid << 32 | inner_tid -> index, of those whose inner_tid is not the tid */
};

void wait_threads_deinit(struct wait_threads *threads);

/* Adds a thread, or gives a known one its new name. Fails only with NO_MEMORY. */
MUST_CHECK enum status wait_threads_add(struct wait_threads *threads,
                                        const struct snap_thread *thread);
void wait_threads_remove(struct wait_threads *threads, uint32_t pid, uint32_t tid);

/* Returns the live thread with this tid, borrowed until one is added; NULL: none. */
struct wait_thread *wait_threads_find(const struct wait_threads *threads, uint32_t tid);

/*
 * Returns the thread that a lock of the process names by its tid in the process's pid namespace;
 * NULL: none. `is_shared`: it may be another process's.
 */
const struct wait_thread *wait_threads_owner(const struct wait_threads *threads, uint32_t pid,
                                             uint32_t tid, bool is_shared);

/* Whether the address is between stack_sp and stack_end. */
bool wait_threads_on_stack(const struct wait_thread *thread, uint64_t addr);

/* Returns the live thread of the process on whose stack the address is; NULL: none. */
const struct wait_thread *wait_threads_stack(const struct wait_threads *threads, uint32_t pid,
                                             uint64_t addr);

#endif
