#include "snapshot/thread_table.h"

#include <stdlib.h>

#include "base/vec.h"

static void forget(struct thread_slot *thread)
{
    stack_image_deinit(&thread->image);
    wait_list_clear(&thread->waits);
    wait_list_clear(&thread->new_waits);
}

void thread_table_deinit(struct thread_table *table)
{
    for (size_t i = 0; i < table->count; i++)
        forget(&table->slots[i]);
    map_deinit(&table->index);
    map_deinit(&table->first);
    free(table->slots);
}

/* The threads of a process are linked, so that its next program costs no look at all others. */
static bool link_slot(struct thread_table *table, size_t slot)
{
    struct thread_slot *thread = &table->slots[slot];
    uint64_t *first = map_put(&table->first, thread->pid, 0);

    if (!first)
        return false;
    thread->next = (size_t)*first;
    if (thread->next)
        table->slots[thread->next - 1].previous = slot + 1;
    *first = slot + 1;
    return true;
}

static void unlink_slot(struct thread_table *table, const struct thread_slot *thread)
{
    uint64_t *first = map_get(&table->first, thread->pid);

    if (thread->next)
        table->slots[thread->next - 1].previous = thread->previous;
    if (thread->previous)
        table->slots[thread->previous - 1].next = thread->next;
    else if (first && thread->next)
        *first = thread->next;
    else
        map_remove(&table->first, thread->pid);
}

struct thread_slot *thread_table_find(struct thread_table *table, uint32_t tid)
{
    uint64_t *index = map_get(&table->index, tid);

    return index ? &table->slots[*index] : NULL;
}

struct thread_slot *thread_table_find_in(struct thread_table *table, uint32_t pid, uint32_t tid)
{
    struct thread_slot *thread = thread_table_find(table, tid);

    return thread && thread->pid == pid ? thread : NULL;
}

void thread_table_end(struct thread_table *table, struct thread_slot *thread)
{
    size_t slot = (size_t)(thread - table->slots);

    table->kept -= thread->image.cap + thread->waits.size + thread->new_waits.size;
    forget(thread);
    unlink_slot(table, thread);
    map_remove(&table->index, thread->tid);
    thread->live = false;
    thread->sampled = false;
    if (slot < table->free_from)
        table->free_from = slot;
    table->live_count--;
}

void thread_table_end_process(struct thread_table *table, uint32_t pid)
{
    const uint64_t *first;

    while ((first = map_get(&table->first, pid)))
        thread_table_end(table, &table->slots[*first - 1]);
}

struct thread_slot *thread_table_add(struct thread_table *table, uint32_t pid, uint32_t tid)
{
    struct thread_slot *thread = thread_table_find(table, tid);
    size_t slot;

    if (thread && thread->pid == pid)
        return thread;
    if (thread)
        thread_table_end(table, thread);
    slot = table->free_from;
    while (slot < table->count && table->slots[slot].live)
        slot++;
    if (slot == table->count) {
        if (vec_reserve(&table->slots, &table->cap, table->count + 1, sizeof(*table->slots)) !=
            STATUS_OK)
            return NULL;
        table->count++;
    }
    table->free_from = slot + 1;
    table->slots[slot] = (struct thread_slot){.pid = pid, .tid = tid};
    if (!map_put(&table->index, tid, slot))
        return NULL;
    if (!link_slot(table, slot)) {
        map_remove(&table->index, tid);
        return NULL;
    }
    table->slots[slot].live = true;
    table->live_count++;
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
