/* SPDX-License-Identifier: MIT */
/* Private to symbol/: the line table of one compilation unit, compact: file and line by address. */
#ifndef SYMBOL_DWARF_UNIT_LINES_H
#define SYMBOL_DWARF_UNIT_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/status.h"
#include "symbol/dwarf/die.h"

struct unit_lines;

/* Sets *off to the offset of the unit's line table in .debug_line. False: the unit has none. */
bool unit_lines_off(const struct die *unit_die, uint64_t *off);

/*
 * Whether another unit, whose table is at the same offset, can use `lines`: if its compilation
 * directory (DW_AT_comp_dir) is the same text.
 */
bool unit_lines_fit(const struct unit_lines *lines, const struct die *unit_die);

/*
 * Reads the line table of a unit. NOT_FOUND: the unit has no readable table, or the file's
 * line_budget is spent; NO_MEMORY.
 */
MUST_CHECK enum status unit_lines_create(const struct die *unit_die, struct unit_lines **out);
void unit_lines_destroy(struct unit_lines *lines);

/*
 * Sets *file_number (UINT32_MAX: not known) and *line (0: none) for an address. NOT_FOUND: the
 * table does not cover `vaddr`.
 */
MUST_CHECK enum status unit_lines_find(const struct unit_lines *lines, uint64_t vaddr,
                                       uint32_t *file_number, uint32_t *line);

/*
 * Returns a file's path with the directories that DWARF gives; made at the first call, in `arena`.
 * NULL: no such file, a path above 16 KiB, or no memory.
 */
const char *unit_lines_path(struct unit_lines *lines, uint64_t file_number, struct arena *arena);

#endif
