/* SPDX-License-Identifier: MIT */
#include "capture/target/goroutine_stack.h"

#include "base/search.h"
#include "runtime/go/memory/go_version.h"

/*
 * Is this memory that can be read without waiting for a file? The last page of a program's data
 * counts: the kernel has cleared its rest, for the variables behind the data.
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

/* The first m and g0 may be variables that lie across the end of the file's data. */
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

/* It may have been mapped since the mappings were read, as the heap, where stacks are, grows. */
static bool in_memory(const void *context, const struct goroutine *g)
{
    const struct stack_request *rq = context;
    const struct maps *maps = rq->maps;

    for (size_t i = SEARCH_FIRST(k, 0, maps->range_len, maps->ranges[k].end_addr <= g->low_addr);
         i < maps->range_len && maps->ranges[i].start_addr < g->end_addr; i++)
        if (maps->ranges[i].is_file || maps->ranges[i].is_shared)
            return false;
    return true;
}

bool goroutine_stack_look(const struct stack_request *rq, struct goroutine_look *out)
{
    const struct target_machine *machine = &rq->target->machine;
    const struct goroutine_memory memory = {
        .read = read_own,
        .is_stack = in_memory,
        .context = rq,
        .addr_mask = machine->addr_mask,
        .word_size = machine->arch->word_size,
        .in_register = rq->goroutine,
        .slot_addr = rq->thread_pointer ? (rq->thread_pointer +
                                           (uint64_t)(int64_t)machine->arch->goroutine_thread_off) &
                                              machine->addr_mask
                                        : 0,
        .scheduler = rq->scheduler,
        .sp = rq->sp,
    };

    if (!rq->is_go || !goroutine_look(&memory, out))
        return false;
    out->id = go_version_goroutine_id(&memory, &out->thread.current, rq->go_version);
    return true;
}
