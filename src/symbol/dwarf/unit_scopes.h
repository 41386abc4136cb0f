/* SPDX-License-Identifier: MIT */
/*
 * Private to symbol/: the namespaces, records and functions of a unit, as a flat array, looked up
 * by offset. A DIE does not say which of them it is in; one pass over the unit finds out for all.
 */
#ifndef SYMBOL_DWARF_UNIT_SCOPES_H
#define SYMBOL_DWARF_UNIT_SCOPES_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "symbol/dwarf/dwarf_file.h"

#define UNIT_SCOPES_DEPTH_MAX 192 /* of DIEs; deeper scopes are left out */

struct scope {
    uint64_t off, end_off; /* in .debug_info: its DIE and its children */
    uint32_t parent;       /* private */
};

struct unit_scopes;

/* Lists at most `max` scopes, up to damage. Fails with NO_MEMORY only. */
MUST_CHECK enum status unit_scopes_create(struct dwarf_file *file, struct dwarf_unit *unit,
                                          size_t max, struct unit_scopes **out);
void unit_scopes_destroy(struct unit_scopes *scopes);

size_t unit_scopes_count(const struct unit_scopes *scopes);

/* Returns the innermost scope around the DIE at `off`; NULL: the unit itself. */
const struct scope *unit_scopes_around(const struct unit_scopes *scopes, uint64_t off);

#endif
