/* SPDX-License-Identifier: MIT */
/*
 * Reads a list of address ranges: of .debug_ranges (DWARF 4, 2.17.3), or of .debug_rnglists and
 * .debug_rnglists.dwo (DWARF 5, 2.17.3 and 7.25). Bytes may be damaged.
 */
#ifndef SYMBOL_DWARF_RANGE_LIST_H
#define SYMBOL_DWARF_RANGE_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cursor.h"

/* Sets *vaddr to the unit's address number `index` in .debug_addr. False: it has none. */
typedef bool range_addr_fn(void *context, uint64_t index, uint64_t *vaddr);

struct range_list {
    struct cursor entries; /* the next entry is at its position */
    uint16_t version;  /* the unit's: 2 to 4 have pairs of words, 5 has entries of a kind each */
    uint8_t word_size; /* bytes of an address: 4 or 8 */
    uint64_t base;     /* what offsets count from: at first the unit's DW_AT_low_pc, or 0 */
    range_addr_fn *addr_at;
    void *context; /* of addr_at */
};

/*
 * Reads an entry, and moves past it: the range [*start_vaddr, *end_vaddr), which may be empty, or
 * run backwards. An entry that sets the base gives the range [0, 0). False: the list ends here, or
 * is damaged.
 */
bool range_list_next(struct range_list *list, uint64_t *start_vaddr, uint64_t *end_vaddr);

/*
 * DW_FORM_rnglistx: sets *off to where list number `index` begins. `table`: the section, at the
 * unit's table of offsets, which are `off_size` bytes each and count from the table's begin. False:
 * the section has no such entry.
 */
bool range_list_by_index(struct cursor table, uint64_t index, unsigned off_size, uint64_t *off);

#endif
