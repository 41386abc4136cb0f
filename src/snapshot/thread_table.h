/* SPDX-License-Identifier: MIT */
/*
 * The live threads of a snapshot that is being read. For each it keeps the last sample with its
 * stack bytes, the waits, and the other facts that records bring. Private to snapshot/.
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
    bool sampled;            /* the thread is alive and had a sample */
    uint64_t idle_exception; /* serial number of the last IDLE record that excepted it */
    uint64_t last_ns;        /* time of the last sample or repeat */
    struct snap_sample sample;
    struct stack_image image;
    struct wait_list waits;       /* in force at its last sample or repeat */
    struct wait_list new_waits;   /* take force at its next sample or repeat */
    struct pointee_list pointees; /* from its last POINTEES, whichever sample that belongs to */
    struct board_facts *board;    /* owned; NULL: no SYSTEM or TASK came */
};

struct thread_table {
    struct live_threads live;
    struct thread_slot *slots; /* owned; indexed by the slots of `live` */
    size_t cap;
    uint64_t kept; /* bytes of all kept stacks, waits and pointees */
};

void thread_table_deinit(struct thread_table *table);

/* Returns the live thread `tid`; NULL: none. */
struct thread_slot *thread_table_find(struct thread_table *table, uint32_t tid);
/* Returns the live thread `tid` of process `pid`; NULL: none. */
struct thread_slot *thread_table_find_in(struct thread_table *table, uint32_t pid, uint32_t tid);

/*
 * Returns the thread, which it adds where it is not alive; a live thread `tid` of another process
 * ends. Slots of ended threads are used again, and the array may move: earlier pointers to slots
 * are invalid. NULL: no memory.
 */
struct thread_slot *thread_table_add(struct thread_table *table, uint32_t pid, uint32_t tid);

void thread_table_end(struct thread_table *table, struct thread_slot *thread);
void thread_table_end_process(struct thread_table *table, uint32_t pid);

/* At a thread's sample or repeat: moves new_waits to waits; a repeat without any keeps waits. */
void thread_table_settle_waits(struct thread_table *table, struct thread_slot *thread, bool repeat);

#endif
