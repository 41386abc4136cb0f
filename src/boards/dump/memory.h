/* SPDX-License-Identifier: MIT */
/*
 * Private to the importers of dumps: a board's memory, in blocks of any order, which may touch or
 * overlap. Where blocks overlap the one with the lower address counts; at equal addresses the one
 * added first.
 */
#ifndef BOARDS_DUMP_MEMORY_H
#define BOARDS_DUMP_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

#define DUMP_BLOCKS_MAX 65536u                /* most blocks */
#define DUMP_BYTES_MAX  (UINT64_C(256) << 20) /* most bytes of all blocks together */

struct dump_block {
    uint64_t start_addr, end_addr; /* run-time addresses of `bytes` */
    uint64_t limit_addr;           /* end of the whole block: behind end_addr if the dump was cut */
    const uint8_t *bytes;
};

struct dump_memory {
    struct dump_block *list; /* after dump_memory_end: sorted, disjoint, none touch */
    size_t count, cap;
    uint64_t size;  /* bytes of all blocks added */
    uint8_t *bytes; /* owned: the blocks' bytes after dump_memory_end */
    bool is_full;   /* blocks were left out because of the two limits */
    bool has_overlaps;
};

/*
 * Adds a block, whose bytes are borrowed until dump_memory_end; sets is_full instead at a limit,
 * and adds no empty block. NO_MEMORY.
 */
MUST_CHECK enum status dump_memory_add(struct dump_memory *memory, const struct dump_block *block);

/*
 * To be called after the last dump_memory_add: sorts the blocks, joins those that touch or overlap,
 * and copies their bytes. NO_MEMORY.
 */
MUST_CHECK enum status dump_memory_end(struct dump_memory *memory);
void dump_memory_free(struct dump_memory *memory);

/* Returns the block that holds the address; NULL: none. O(log n). */
const struct dump_block *dump_memory_find(const struct dump_memory *memory, uint64_t addr);

/*
 * Copies `size` bytes at `addr` of `memory`, a struct dump_memory. False: not all are in a block.
 */
bool dump_memory_read(const void *memory, uint64_t addr, void *buffer, size_t size);

#endif
