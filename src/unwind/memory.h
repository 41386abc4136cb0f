/*
 * The target's memory as far as a sample has it. What was not captured is a FAULT, never zero.
 */
#ifndef UNWIND_MEMORY_H
#define UNWIND_MEMORY_H

#include <stdint.h>
#include <string.h>

#include "base/status.h"
#include "snapshot/reader.h"

struct memory {
    const struct snap_region *regions; /* borrowed */
    uint32_t count;
};

/* The region that holds `addr`, or NULL. */
static inline const struct snap_region *memory_region(const struct memory *memory, uint64_t addr)
{
    for (uint32_t i = 0; i < memory->count; i++)
        if (addr >= memory->regions[i].start_addr && addr < memory->regions[i].end_addr)
            return &memory->regions[i];
    return NULL;
}

/* A little-endian value of 1 to 8 bytes. */
MUST_CHECK static inline enum status memory_read(const struct memory *memory, uint64_t addr,
                                                 unsigned size, uint64_t *out)
{
    const struct snap_region *region = memory_region(memory, addr);
    uint64_t value = 0;

    if (!region || size > sizeof(value) || size > region->end_addr - addr)
        return STATUS_FAULT;
    memcpy(&value, region->bytes + (addr - region->start_addr), size);
    *out = value;
    return STATUS_OK;
}

#endif
