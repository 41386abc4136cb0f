/* SPDX-License-Identifier: MIT */
#include "capture/target/goroutine_stack.h"

#include <string.h>

#include "base/search.h"

#define THREAD_POINTER_MAX 4096 /* from the begin of an m to its own in it */

/*
 * Is it memory of the process's own? What lies in a file may have to be brought; but not the end of
 * a program's data, of which the kernel cleared the rest of the page, for the variables behind it.
 */
static bool is_own(const struct stack_request *rq, const struct map_range *range, uint64_t addr)
{
    const struct map_range *next = range + 1;

    if (!range->is_file)
        return !range->is_shared;
    return range->prot & MAP_PROT_WRITE && !range->is_shared &&
           next < rq->maps->ranges + rq->maps->range_len && next->start_addr == range->end_addr &&
           !next->is_file && range->end_addr - addr <= rq->target->machine.page_size;
}

/* The first m and g0 may be variables across the end of the file's data. */
static bool read_own(const void *context, uint64_t addr, void *bytes, size_t size)
{
    const struct stack_request *rq = context;
    const struct map_range *range;

    for (uint64_t at = addr; at - addr < size; at = range->end_addr) {
        range = maps_find(rq->maps, at);
        if (!range || !is_own(rq, range, at))
            return false;
    }
    return target_read(rq->target, rq->tid, addr, bytes, size) == size;
}

/* It may have been mapped since the mappings were read: the heap, where stacks are, grows. */
static bool in_memory(const struct stack_request *rq, const struct goroutine *g)
{
    const struct maps *maps = rq->maps;

    for (size_t i = SEARCH_FIRST(k, 0, maps->range_len, maps->ranges[k].end_addr <= g->low_addr);
         i < maps->range_len && maps->ranges[i].start_addr < g->end_addr; i++)
        if (maps->ranges[i].is_file || maps->ranges[i].is_shared)
            return false;
    return true;
}

/*
 * Of stacks that C made Go knows roughly only where they are. A thread pointer of Go's own lies in
 * the m.
 */
static bool knows_bounds(const struct stack_request *rq, const struct goroutine_thread *thread)
{
    return !rq->thread_pointer ||
           rq->thread_pointer - thread->scheduler.thread_addr < THREAD_POINTER_MAX;
}

static bool look_at(const struct stack_request *rq, const struct goroutine_memory *memory,
                    uint64_t addr, struct goroutine_look *out)
{
    const struct goroutine_thread *thread = &out->thread;
    const struct goroutine *on = NULL;
    struct goroutine g;

    if (!goroutine_read(memory, addr, &g) || !goroutine_thread(memory, &g, rq->sp, &out->thread) ||
        !in_memory(rq, &thread->scheduler) ||
        (thread->current.addr && !in_memory(rq, &thread->current)))
        return false;
    out->knows_scheduler = knows_bounds(rq, thread);
    out->on_scheduler = goroutine_holds(&thread->scheduler, rq->sp);
    if (out->on_scheduler)
        on = out->knows_scheduler ? &thread->scheduler : NULL;
    else if (goroutine_holds(&thread->current, rq->sp))
        on = &thread->current;
    else if (goroutine_holds(&g, rq->sp) && in_memory(rq, &g))
        on = &g;
    out->elsewhere = !out->on_scheduler && on != &thread->current;
    out->end_addr = on ? on->end_addr : 0;
    return true;
}

/*
 * C code may have another use for the register. What it has for each thread it leaves alone; and a
 * thread that is on one of the stacks that it had before has the same g0.
 */
bool goroutine_look(const struct stack_request *rq, struct goroutine_look *out)
{
    const struct target_machine *machine = &rq->target->machine;
    const struct goroutine_memory memory = {.read = read_own,
                                            .context = rq,
                                            .addr_mask = machine->addr_mask,
                                            .word_size = machine->arch->word_size};
    const uint64_t slot =
        rq->thread_pointer + (uint64_t)(int64_t)machine->arch->goroutine_thread_off;
    uint64_t addr = 0;

    if (!rq->is_go)
        return false;
    return (rq->goroutine && look_at(rq, &memory, rq->goroutine, out)) ||
           (rq->thread_pointer &&
            read_own(rq, slot & machine->addr_mask, &addr, memory.word_size) &&
            look_at(rq, &memory, addr & machine->addr_mask, out)) ||
           (rq->scheduler && look_at(rq, &memory, rq->scheduler, out) && out->thread.holds_sp);
}
