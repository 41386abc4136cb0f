/* SPDX-License-Identifier: MIT */
/*
 * Private to the importers of dumps: the memory of a board as a dump has it, in blocks of any order
 * which may touch or overlap. What a block is of two others believe the one that came first.
 */
#ifndef SNAPSHOT_IMPORT_DUMP_MEMORY_H
#define SNAPSHOT_IMPORT_DUMP_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

#define DUMP_BLOCKS_MAX 65536u
#define DUMP_BYTES_MAX  (UINT64_C(256) << 20) /* of all blocks together */

struct dump_block {
    uint64_t start_addr, end_addr; /* what there is; empty ones are left out */
    uint64_t limit_addr;           /* what there was: behind end_addr where a dump was cut */
    const uint8_t *bytes;
};

struct dump_memory {
    struct dump_block *list; /* after dump_memory_end: sorted, disjoint, none touch */
    size_t count, cap;
    uint64_t size;  /* of all */
    uint8_t *bytes; /* owned: what the list points to */
    bool is_full;   /* some were left out: too many, or too large */
    bool has_overlaps;
};

/* Adds one, whose bytes are borrowed until dump_memory_end. NO_MEMORY. */
MUST_CHECK enum status dump_memory_add(struct dump_memory *memory, const struct dump_block *block);

/* All have been added: joins them. NO_MEMORY. */
MUST_CHECK enum status dump_memory_end(struct dump_memory *memory);
void dump_memory_free(struct dump_memory *memory);

/* The block that holds the address, or NULL. O(log n). */
const struct dump_block *dump_memory_find(const struct dump_memory *memory, uint64_t addr);

/* False: not all of the bytes are there. `memory`: a struct dump_memory. */
bool dump_memory_read(const void *memory, uint64_t addr, void *buffer, size_t size);

#endif
