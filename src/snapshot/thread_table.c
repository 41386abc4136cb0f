/* SPDX-License-Identifier: MIT */
#include "snapshot/thread_table.h"

#include <stdlib.h>

#include "base/vec.h"

static void forget(struct thread_slot *thread)
{
    stack_image_deinit(&thread->image);
    wait_list_clear(&thread->waits);
    wait_list_clear(&thread->new_waits);
    pointee_list_clear(&thread->pointees);
    free(thread->board);
    thread->board = NULL;
}

void thread_table_deinit(struct thread_table *table)
{
    for (size_t i = 0; i < table->live.count; i++)
        forget(&table->slots[i]);
    live_threads_deinit(&table->live);
    free(table->slots);
}

struct thread_slot *thread_table_find(struct thread_table *table, uint32_t tid)
{
    size_t slot = live_threads_find(&table->live, tid);

    return slot != LIVE_NONE ? &table->slots[slot] : NULL;
}

struct thread_slot *thread_table_find_in(struct thread_table *table, uint32_t pid, uint32_t tid)
{
    struct thread_slot *thread = thread_table_find(table, tid);

    return thread && thread->pid == pid ? thread : NULL;
}

void thread_table_end(struct thread_table *table, struct thread_slot *thread)
{
    table->kept -=
        thread->image.cap + thread->waits.size + thread->new_waits.size + thread->pointees.size;
    forget(thread);
    thread->sampled = false;
    live_threads_end(&table->live, (size_t)(thread - table->slots));
}

void thread_table_end_process(struct thread_table *table, uint32_t pid)
{
    size_t slot;

    while ((slot = live_threads_of(&table->live, pid)) != LIVE_NONE)
        thread_table_end(table, &table->slots[slot]);
}

struct thread_slot *thread_table_add(struct thread_table *table, uint32_t pid, uint32_t tid)
{
    struct thread_slot *thread = thread_table_find(table, tid);
    size_t slot;

    if (thread && thread->pid == pid)
        return thread;
    if (thread)
        thread_table_end(table, thread);
    if (vec_reserve(&table->slots, &table->cap, table->live.count + 1, sizeof(*table->slots)) !=
            STATUS_OK ||
        live_threads_add(&table->live, pid, tid, &slot) != STATUS_OK)
        return NULL;
    table->slots[slot] = (struct thread_slot){.pid = pid, .tid = tid};
    return &table->slots[slot];
}

void thread_table_settle_waits(struct thread_table *table, struct thread_slot *thread, bool repeat)
{
    if (repeat && !thread->new_waits.count)
        return;
    table->kept -= thread->waits.size;
    wait_list_clear(&thread->waits);
    thread->waits = thread->new_waits;
    thread->new_waits = (struct wait_list){0};
}
