/* SPDX-License-Identifier: MIT */
#include "snapshot/sample_memory.h"

#include <string.h>

/* The bytes at `addr` of a piece that begins at `start`, when it holds `size` of them. */
static const uint8_t *within(uint64_t start, const uint8_t *bytes, uint64_t length, uint64_t addr,
                             size_t size)
{
    if (addr < start || addr - start > length || size > length - (addr - start))
        return NULL;
    return bytes + (addr - start);
}

static const uint8_t *within_any(const struct snap_region *regions, uint32_t count, uint64_t addr,
                                 size_t size)
{
    const uint8_t *found = NULL;

    for (const struct snap_region *r = regions; r < regions + count && !found; r++)
        found = within(r->start_addr, r->bytes, r->end_addr - r->start_addr, addr, size);
    return found;
}

static const uint8_t *find(const struct snap_sample *sample, uint64_t addr, size_t size)
{
    const uint8_t *found = NULL;

    for (uint32_t i = 0; i < sample->wait_count && !found; i++) {
        const struct snap_wait *wait = &sample->waits[i];

        if (wait->kind == SNAP_WAIT_MEMORY)
            found = within(wait->addr, wait->bytes, wait->size, addr, size);
    }
    if (!found)
        found = within_any(sample->regions, sample->region_count, addr, size);
    if (!found)
        found = within_any(sample->pointees, sample->pointee_count, addr, size);
    return found;
}

bool sample_read(const struct snap_sample *sample, uint64_t addr, void *buffer, size_t size)
{
    const uint8_t *bytes = find(sample, addr, size);

    if (bytes)
        memcpy(buffer, bytes, size);
    return bytes;
}

uint64_t sample_memory_time(const struct snap_sample *sample)
{
    uint64_t time_ns = sample->task ? sample->time_ns : 0;

    for (uint32_t i = 0; i < sample->wait_count; i++)
        if (sample->waits[i].kind == SNAP_WAIT_MEMORY && sample->waits[i].time_ns > time_ns)
            time_ns = sample->waits[i].time_ns;
    return time_ns;
}
