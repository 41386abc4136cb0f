/* SPDX-License-Identifier: MIT */
/*
 * Private to symbol/: the line table of one compilation unit, compact: which file and line an
 * address is of.
 */
#ifndef SYMBOL_DWARF_UNIT_LINES_H
#define SYMBOL_DWARF_UNIT_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/status.h"
#include "symbol/dwarf/die.h"

struct unit_lines;

/* Where the unit's line table is in .debug_line. False: the unit has none. */
bool unit_lines_off(const struct die *unit_die, uint64_t *off);

/* Is it also that of this unit, which has its table at the same place? */
bool unit_lines_fit(const struct unit_lines *lines, const struct die *unit_die);

/*
 * NOT_FOUND when the unit has no line table that can be read, or the file's budget for them is
 * spent.
 */
MUST_CHECK enum status unit_lines_create(const struct die *unit_die, struct unit_lines **out);
void unit_lines_destroy(struct unit_lines *lines);

/* The file number (UINT32_MAX: none that is) and line of an address; NOT_FOUND. */
MUST_CHECK enum status unit_lines_find(const struct unit_lines *lines, uint64_t vaddr,
                                       uint32_t *file_number, uint32_t *line);

/*
 * A file's path, made absolute where DWARF says how: made once, kept in `arena`. NULL: no such
 * file, or no memory.
 */
const char *unit_lines_path(struct unit_lines *lines, uint64_t file_number, struct arena *arena);

#endif
