/* SPDX-License-Identifier: MIT */
#include "boards/dump/memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/search.h"
#include "base/vec.h"

enum status dump_memory_add(struct dump_memory *memory, const struct dump_block *block)
{
    const uint64_t size = block->end_addr - block->start_addr;

    if (block->start_addr >= block->end_addr)
        return STATUS_OK;
    if (memory->count == DUMP_BLOCKS_MAX || size > DUMP_BYTES_MAX - memory->size) {
        memory->is_full = true;
        return STATUS_OK;
    }
    if (vec_reserve(&memory->list, &memory->cap, memory->count + 1, sizeof(*memory->list)) !=
        STATUS_OK)
        return STATUS_NO_MEMORY;
    memory->list[memory->count++] = *block;
    memory->size += size;
    return STATUS_OK;
}

struct placed { /* a block, and its index before sorting */
    struct dump_block block;
    size_t order;
};

static int compare(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;

    if (x->block.start_addr != y->block.start_addr)
        return x->block.start_addr < y->block.start_addr ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

/*
 * Appends a block's bytes at *at, without those that earlier blocks have, and joins it to the last
 * block if they touch.
 */
static void append(struct dump_memory *memory, const struct dump_block *block, uint8_t **at)
{
    struct dump_block *last = memory->count ? &memory->list[memory->count - 1] : NULL;
    struct dump_block rest = *block;

    if (last && rest.start_addr < last->end_addr) {
        memory->has_overlaps = true;
        if (rest.end_addr <= last->end_addr)
            return;
        rest.bytes += last->end_addr - rest.start_addr;
        rest.start_addr = last->end_addr;
    }
    memcpy(*at, rest.bytes, (size_t)(rest.end_addr - rest.start_addr));
    if (last && rest.start_addr == last->end_addr) {
        last->end_addr = rest.end_addr;
        last->limit_addr = rest.limit_addr;
    } else {
        rest.bytes = *at;
        memory->list[memory->count++] = rest;
    }
    *at += rest.end_addr - rest.start_addr;
}

enum status dump_memory_end(struct dump_memory *memory)
{
    const size_t count = memory->count;
    struct placed *sorted = calloc(count + 1, sizeof(*sorted));
    uint8_t *at;

    memory->bytes = malloc((size_t)memory->size + 1);
    if (!sorted || !memory->bytes) {
        free(sorted);
        return STATUS_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++)
        sorted[i] = (struct placed){.block = memory->list[i], .order = i};
    qsort(sorted, count, sizeof(*sorted), compare);
    at = memory->bytes;
    memory->count = 0;
    for (size_t i = 0; i < count; i++)
        append(memory, &sorted[i].block, &at);
    free(sorted);
    return STATUS_OK;
}

void dump_memory_free(struct dump_memory *memory)
{
    free(memory->list);
    free(memory->bytes);
    *memory = (struct dump_memory){.list = NULL};
}

const struct dump_block *dump_memory_find(const struct dump_memory *memory, uint64_t addr)
{
    const size_t at = SEARCH_FIRST(i, 0, memory->count, memory->list[i].end_addr <= addr);

    return at < memory->count && memory->list[at].start_addr <= addr ? &memory->list[at] : NULL;
}

bool dump_memory_read(const void *memory, uint64_t addr, void *buffer, size_t size)
{
    const struct dump_block *block = dump_memory_find(memory, addr);

    if (!block || size > block->end_addr - addr)
        return false;
    memcpy(buffer, block->bytes + (addr - block->start_addr), size);
    return true;
}
