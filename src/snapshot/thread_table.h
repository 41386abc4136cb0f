/* SPDX-License-Identifier: MIT */
/*
 * The live threads of a snapshot that is being read, each with its last sample, stack bytes, waits,
 * and the other facts from records. Private to snapshot/.
 */
#ifndef SNAPSHOT_THREAD_TABLE_H
#define SNAPSHOT_THREAD_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "snapshot/board_facts.h"
#include "snapshot/event.h"
#include "snapshot/live_threads.h"
#include "snapshot/pointee_list.h"
#include "snapshot/stack_image.h"
#include "snapshot/wait_list.h"

struct thread_slot {
    uint32_t pid, tid;
    bool sampled;                 /* the thread is alive and had a sample */
    uint64_t idle_exception;      /* number of the last IDLE record that excepts the thread */
    uint64_t last_ns;             /* time of the last sample or repeat */
    struct snap_sample sample;    /* the last sample */
    struct stack_image image;     /* stack bytes of the last sample */
    struct wait_list waits;       /* waits at the last sample or repeat */
    struct wait_list new_waits;   /* waits for the next sample or repeat, from WAITs since then */
    struct pointee_list pointees; /* from the last POINTEES, which may be of an older sample */
    struct board_facts *board;    /* owned; NULL: no SYSTEM or TASK came */
};

struct thread_table {
    struct live_threads live;
    struct thread_slot *slots; /* owned; indexed by the slots of `live` */
    size_t cap;
    uint64_t kept; /* bytes of all kept stacks, waits and pointees */
};

void thread_table_deinit(struct thread_table *table);

/* Returns the live thread `tid`; NULL: there is none. */
struct thread_slot *thread_table_find(struct thread_table *table, uint32_t tid);
/* Returns the live thread `tid` if it is of process `pid`; NULL: there is none. */
struct thread_slot *thread_table_find_in(struct thread_table *table, uint32_t pid, uint32_t tid);

/* Returns the thread's slot of `live`. */
static inline uint32_t thread_table_slot(const struct thread_table *table,
                                         const struct thread_slot *thread)
{
    return (uint32_t)(thread - table->slots);
}

/*
 * Returns the live thread `tid` of process `pid`, which is added if absent; a live thread `tid` of
 * another process ends. Earlier pointers to slots are invalid afterwards, as the array may move.
 * NULL: no memory.
 */
struct thread_slot *thread_table_add(struct thread_table *table, uint32_t pid, uint32_t tid);

void thread_table_end(struct thread_table *table, struct thread_slot *thread);
void thread_table_end_process(struct thread_table *table, uint32_t pid);

/*
 * To be called at a thread's sample or repeat: new_waits replace `waits`; at a repeat without
 * new_waits `waits` stay.
 */
void thread_table_settle_waits(struct thread_table *table, struct thread_slot *thread, bool repeat);

#endif
