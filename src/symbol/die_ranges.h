/*
 * Private to symbol/: the address ranges of a DIE: DW_AT_low_pc and DW_AT_high_pc, or DW_AT_ranges
 * with .debug_ranges (DWARF 4, 2.17.3) or .debug_rnglists (DWARF 5, 2.17.3 and 7.25).
 *
 * The lists are read here and not by libdwarf, which as of 20210528 frees twice when
 * .debug_rnglists is damaged.
 */
#ifndef SYMBOL_DIE_RANGES_H
#define SYMBOL_DIE_RANGES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "symbol/dwarf_file.h"

struct unit_bases {     /* what the unit's own DIE says about the DIEs below it */
    uint64_t low_pc;    /* lists are relative to it; 0 when absent */
    uint64_t addr_off;  /* the unit's part of .debug_addr */
    uint64_t lists_off; /* the unit's table of offsets in .debug_rnglists */
    bool has_lists;
    uint16_t version; /* of DWARF; 0: not known */
    uint8_t off_size;
};

void unit_bases_read(struct dwarf_file *file, Dwarf_Die unit_die, struct unit_bases *out);

typedef enum status die_range_fn(void *context, uint64_t start_vaddr, uint64_t end_vaddr);

/*
 * Reports the ranges of a DIE that begin in executable code, cut at their section's end: what the
 * linker dropped has ranges too, at or near 0. Each entry costs one of file->budget. Stops at the
 * first status of `report` that is not OK and returns it; damage ends a list.
 */
MUST_CHECK enum status die_ranges(struct dwarf_file *file, const struct unit_bases *bases,
                                  Dwarf_Die die, die_range_fn *report, void *context);

#endif
