/* SPDX-License-Identifier: MIT */
/*
 * The live threads of a snapshot that is being read, and what is kept of each: its last sample with
 * the bytes of its stack, and what it waits for. Private to snapshot/.
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
    bool sampled;            /* it lives, and had a sample */
    uint64_t idle_exception; /* the serial number of the last IDLE record that named it */
    uint64_t last_ns;        /* time of the last sample or repeat */
    struct snap_sample sample;
    struct stack_image image;
    struct wait_list waits;       /* as of its last sample or repeat */
    struct wait_list new_waits;   /* to hold from the next one on */
    struct pointee_list pointees; /* as its last POINTEES has them, of whatever sample */
    struct board_facts *board;    /* owned; NULL: nothing is told */
};

struct thread_table {
    struct live_threads live;
    struct thread_slot *slots; /* owned, as many as there are in `live` */
    size_t cap;
    uint64_t kept; /* bytes of all kept stacks, and of what is waited for and pointed to */
};

void thread_table_deinit(struct thread_table *table);

/* NULL: no live thread has this number. */
struct thread_slot *thread_table_find(struct thread_table *table, uint32_t tid);
/* The same of this process. */
struct thread_slot *thread_table_find_in(struct thread_table *table, uint32_t pid, uint32_t tid);

/*
 * Finds or adds a live thread; slots of ended ones are used again, so that slots move. NULL: no
 * memory.
 */
struct thread_slot *thread_table_add(struct thread_table *table, uint32_t pid, uint32_t tid);

void thread_table_end(struct thread_table *table, struct thread_slot *thread);
/* Ends all threads of a process. */
void thread_table_end_process(struct thread_table *table, uint32_t pid);

/*
 * A sample, or a repeat of one, begins to be true of the thread: what it waits for is what was
 * reported since the one before; where nothing was, a repeat leaves it as it was.
 */
void thread_table_settle_waits(struct thread_table *table, struct thread_slot *thread, bool repeat);

#endif
