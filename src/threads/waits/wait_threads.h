/* SPDX-License-Identifier: MIT */
/*
 * Private to the recogniser of waits: keeps the live threads, their names, and where their stacks
 * are.
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

/* The wait of a thread's last sample, kept to answer for repeats of that sample. */
struct known_wait {
    uint64_t epoch; /* epoch of waits_private at recognition; 0: do not use this */
    uint32_t chain, wait;
    struct wait_now now;
};

struct wait_thread {
    uint32_t pid, tid;
    uint32_t inner_tid; /* its tid in its process's pid namespace, as locks store it */
    bool is_live;
    char *name; /* the thread's last name; owned */
    /*
     * From its last sample with a stack: where the stack's mapping begins, where the captured part
     * begins, where the mapping ends; 0: not known.
     */
    uint64_t stack_map_addr, stack_sp, stack_end;
    struct known_wait known;
    /* since when memory names it as owner of what it waits for itself; 0: it does not */
    uint64_t got_ns;
    size_t next_free; /* if not is_live: index of the next free place, plus 1; 0: none */
};

struct wait_threads { /* the threads of all processes; all members zero: none */
    struct wait_thread *list;
    size_t count, cap;
    size_t first_free; /* index of the first free place, plus 1; 0: none */
    struct map live;   /* tid of a live thread -> its index in `list` */
    struct map inner;  /* pid << 32 | inner_tid -> index, if inner_tid is not tid */
};

void wait_threads_deinit(struct wait_threads *threads);

/*
 * wait_threads_add: adds a thread, or gives a known one its new name; fails only with NO_MEMORY.
 * wait_threads_remove: removes the live thread with this pid and tid, if there is one.
 */
MUST_CHECK enum status wait_threads_add(struct wait_threads *threads,
                                        const struct snap_thread *thread);
void wait_threads_remove(struct wait_threads *threads, uint32_t pid, uint32_t tid);

/* Returns the live thread with this tid, valid until a thread is added; NULL: none. */
struct wait_thread *wait_threads_find(const struct wait_threads *threads, uint32_t tid);

/*
 * Returns the live thread that a lock in process `pid` means by `tid`, its number in that process's
 * pid namespace; NULL: none. `is_shared`: a thread of another process counts, too. Valid until a
 * thread is added.
 */
const struct wait_thread *wait_threads_owner(const struct wait_threads *threads, uint32_t pid,
                                             uint32_t tid, bool is_shared);

/* Whether `addr` is in the thread's stack: in [stack_sp, stack_end). */
bool wait_threads_on_stack(const struct wait_thread *thread, uint64_t addr);

/*
 * Returns the live thread of process `pid` on whose stack `addr` is; NULL: none. Valid until a
 * thread is added.
 */
const struct wait_thread *wait_threads_stack(const struct wait_threads *threads, uint32_t pid,
                                             uint64_t addr);

#endif
