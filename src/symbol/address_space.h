/* SPDX-License-Identifier: MIT */
/* Which module is where in a process: its mappings, by address. */
#ifndef SYMBOL_ADDRESS_SPACE_H
#define SYMBOL_ADDRESS_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "symbol/module.h"

struct jit_map;   /* runtime/jit/jit_map.h */
struct made_rows; /* runtime/jit/rows/made_rows.h */

/*
 * The BOARD record (FORMAT.md, type 21) of a target without Linux; is_board false: there is none.
 */
struct board_space {
    bool is_board;
    uint8_t profile; /* an enum snap_profile: the board's kind of CPU */
    uint64_t vectors_addr, initial_sp, reset_addr;
};

struct address_space {
    struct mapping *mappings; /* the process's mappings, sorted by address, disjoint; owned */
    size_t count, cap;
    /* The process's functions made at run time, and unwind rows for them; borrowed; NULL: none. */
    struct jit_map *jit;
    struct made_rows *made_rows;
    /* Mask of the bits of a code address that may hold a pointer authentication code; 0: none. */
    uint64_t pac_mask;
    struct board_space board;
    /* a board's programs were placed (boards/firmware); a change of mappings makes it false */
    bool has_firmware;
    /* Key for caches of answers by address: a number of module_set_stamp; 0 after a change. */
    uint64_t stamp;
};

static inline void address_space_init(struct address_space *space)
{
    *space = (struct address_space){0};
}
void address_space_deinit(struct address_space *space);
/*
 * Removes all mappings, but keeps their memory; resets `stamp` and has_firmware, leaves the rest.
 */
void address_space_clear(struct address_space *space);
/* Does what address_space_clear does, and frees the memory of the mappings. */
void address_space_release(struct address_space *space);

/*
 * Adds a MAPPING_OFFSET mapping; cuts away the parts of others that it overlaps. BAD_DATA:
 * start_addr >= end_addr; NO_MEMORY.
 */
MUST_CHECK enum status address_space_add(struct address_space *space, uint64_t start_addr,
                                         uint64_t end_addr, uint64_t file_off,
                                         struct module *module);
/* Adds a copy of *mapping, with whatever anchor; otherwise as address_space_add. */
MUST_CHECK enum status address_space_put(struct address_space *space,
                                         const struct mapping *mapping);
MUST_CHECK enum status address_space_remove(struct address_space *space, uint64_t start_addr,
                                            uint64_t end_addr);

/*
 * Returns the mapping that holds `addr`, or NULL; owned by the space, valid until it changes. O(log
 * n).
 */
struct mapping *address_space_find(const struct address_space *space, uint64_t addr);

/*
 * Sets *vaddr to the address in the ELF file of the run-time address `addr`; opens the module when
 * needed. False: no load bias is known, and *vaddr is the file offset, or `addr` itself for
 * MODULE_ANON.
 */
bool mapping_vaddr(struct module_set *set, struct mapping *mapping, uint64_t addr, uint64_t *vaddr);

#endif
