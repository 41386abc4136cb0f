/* SPDX-License-Identifier: MIT */
#include "capture/target/goroutine_stack.h"

#include <string.h>

/*
 * Is it memory of the process's own? What lies in a file may have to be brought; but not the end of
 * a program's data, of which the kernel cleared the rest of the page, for the variables behind it.
 */
static bool is_own(const struct stack_request *rq, const struct map_range *range, uint64_t addr)
{
    const struct map_range *next = range + 1;

    if (!range->is_file)
        return true;
    return range->prot & MAP_PROT_WRITE && next < rq->maps->ranges + rq->maps->range_len &&
           next->start_addr == range->end_addr && !next->is_file &&
           range->end_addr - addr <= rq->target->machine.page_size;
}

static bool read_own(const void *context, uint64_t addr, void *bytes, size_t size)
{
    const struct stack_request *rq = context;
    const struct map_range *range = maps_find(rq->maps, addr);

    return range && is_own(rq, range, addr) && size <= range->end_addr - addr &&
           target_read(rq->target, rq->tid, addr, bytes, size) == size;
}

/* It may have been mapped since the mappings were read: the heap, where stacks are, grows. */
static bool in_memory(const struct stack_request *rq, const struct goroutine *g)
{
    const struct map_range *first = maps_find(rq->maps, g->low_addr);
    const struct map_range *last = maps_find(rq->maps, g->end_addr - 1);

    return !(first && first->is_file) && !(last && last->is_file);
}

static bool look_at(const struct stack_request *rq, const struct goroutine_memory *memory,
                    uint64_t addr, bool closely, struct goroutine_look *out)
{
    const struct goroutine_thread *thread = &out->thread;
    const struct goroutine *on;
    struct goroutine g;

    if (!goroutine_read(memory, addr, &g) ||
        (!closely && !goroutine_holds(&g, rq->sp) && !g.self_addr) ||
        !goroutine_thread(memory, &g, &out->thread))
        return false;
    on = goroutine_holds(&thread->scheduler, rq->sp) ? &thread->scheduler
         : goroutine_holds(&thread->current, rq->sp) ? &thread->current
                                                     : &g;
    out->on_scheduler = on == &thread->scheduler;
    out->elsewhere = on == &g;
    out->end_addr = goroutine_holds(on, rq->sp) && in_memory(rq, on) ? on->end_addr : 0;
    return !thread->current.addr || in_memory(rq, &thread->current);
}

/*
 * C code may have another use for the register. What it has for each thread it leaves alone; and
 * the thread's g0 is always the same.
 */
bool goroutine_look(const struct stack_request *rq, bool closely, struct goroutine_look *out)
{
    const struct target_machine *machine = &rq->target->machine;
    const struct goroutine_memory memory = {.read = read_own,
                                            .context = rq,
                                            .addr_mask = machine->addr_mask,
                                            .word_size = machine->arch->word_size};
    const uint64_t slot =
        rq->thread_pointer + (uint64_t)(int64_t)machine->arch->goroutine_thread_off;
    uint64_t addr = 0;

    return (rq->goroutine && look_at(rq, &memory, rq->goroutine, closely, out)) ||
           (closely && rq->thread_pointer &&
            read_own(rq, slot & machine->addr_mask, &addr, memory.word_size) &&
            look_at(rq, &memory, addr & machine->addr_mask, true, out)) ||
           (rq->scheduler && look_at(rq, &memory, rq->scheduler, true, out));
}
