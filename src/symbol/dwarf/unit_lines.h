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

/* Sets *off to where the unit's line table is in .debug_line. False: the unit has none. */
bool unit_lines_off(const struct die *unit_die, uint64_t *off);

/* May this unit, with its table at the same offset, use `lines`? Not with another directory. */
bool unit_lines_fit(const struct unit_lines *lines, const struct die *unit_die);

/* Reads the unit's line table. NOT_FOUND: none readable, or the budget is spent; NO_MEMORY. */
MUST_CHECK enum status unit_lines_create(const struct die *unit_die, struct unit_lines **out);
void unit_lines_destroy(struct unit_lines *lines);

/* Finds the file number (UINT32_MAX: not known) and line (0: none) of an address; NOT_FOUND. */
MUST_CHECK enum status unit_lines_find(const struct unit_lines *lines, uint64_t vaddr,
                                       uint32_t *file_number, uint32_t *line);

/*
 * Returns a file's path, with the directories before it that DWARF gives; made once, kept in
 * `arena`. NULL: no such file, a path above 16 KiB, or no memory.
 */
const char *unit_lines_path(struct unit_lines *lines, uint64_t file_number, struct arena *arena);

#endif
