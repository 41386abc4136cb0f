/* SPDX-License-Identifier: MIT */
/*
 * Reads the part of the target's memory that a sample has. Reading a byte that was not captured
 * returns FAULT, never zero.
 */
#ifndef UNWIND_ROW_MEMORY_H
#define UNWIND_ROW_MEMORY_H

#include <stdint.h>
#include <string.h>

#include "base/search.h"
#include "base/status.h"
#include "snapshot/event.h"

struct memory {
    const struct snap_region *regions; /* `count` captured ranges, the stack's first; borrowed */
    uint32_t count;
    /* where the bytes of regions without own bytes are read from; borrowed */
    const struct snap_memory *source;
};

static inline struct memory memory_of(const struct snap_sample *sample)
{
    return (struct memory){.regions = sample->regions,
                           .count = sample->region_count,
                           .source = sample->memory};
}

/*
 * As memory_region, for many regions: looks in the first, which has the stack, then among the
 * others, which are sorted.
 */
static inline const struct snap_region *memory_region_of_many(const struct memory *memory,
                                                              uint64_t addr)
{
    const struct snap_region *first = &memory->regions[0], *region;
    size_t at;

    if (addr >= first->start_addr && addr < first->end_addr)
        return first;
    at = SEARCH_FIRST(i, 1, memory->count, memory->regions[i].start_addr <= addr);
    region = &memory->regions[at - 1];
    return at > 1 && addr < region->end_addr ? region : NULL;
}

/* Returns the region that holds the run-time address `addr`, or NULL. O(log n). */
static inline const struct snap_region *memory_region(const struct memory *memory, uint64_t addr)
{
    if (memory->count > SNAP_REGION_MAX)
        return memory_region_of_many(memory, addr);
    for (uint32_t i = 0; i < memory->count; i++)
        if (addr >= memory->regions[i].start_addr && addr < memory->regions[i].end_addr)
            return &memory->regions[i];
    return NULL;
}

/*
 * Sets *out to the little-endian value of `size` bytes, 1 to 8, at `addr`. FAULT: no region has all
 * of them.
 */
MUST_CHECK static inline enum status memory_read(const struct memory *memory, uint64_t addr,
                                                 unsigned size, uint64_t *out)
{
    const struct snap_region *region = memory_region(memory, addr);
    uint64_t value = 0;

    if (!region || size > sizeof(value) || size > region->end_addr - addr ||
        !snap_region_read(region, memory->source, addr, &value, size))
        return STATUS_FAULT;
    *out = value;
    return STATUS_OK;
}

#endif
