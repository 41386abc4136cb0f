/* SPDX-License-Identifier: MIT */
/*
 * Private to symbol/: the scopes (namespaces, records and functions) of a unit, as a flat array,
 * looked up by offset. A DIE does not say which scope it is in; one pass over the unit finds out
 * for all DIEs.
 */
#ifndef SYMBOL_DWARF_UNIT_SCOPES_H
#define SYMBOL_DWARF_UNIT_SCOPES_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "symbol/dwarf/dwarf_file.h"

#define UNIT_SCOPES_DEPTH_MAX 192 /* depth of DIEs; deeper scopes are left out */

struct scope {
    uint64_t off, end_off; /* range in .debug_info of the scope's DIE and its descendants */
    uint32_t parent;       /* private */
};

struct unit_scopes;

/*
 * Sets *out to the first scopes of `unit`, at most `max`, up to damage. Fails only with NO_MEMORY.
 */
MUST_CHECK enum status unit_scopes_create(struct dwarf_file *file, struct dwarf_unit *unit,
                                          size_t max, struct unit_scopes **out);
void unit_scopes_destroy(struct unit_scopes *scopes);

size_t unit_scopes_count(const struct unit_scopes *scopes);

/* Returns the innermost scope around the DIE at `off`; NULL: the unit itself. */
const struct scope *unit_scopes_around(const struct unit_scopes *scopes, uint64_t off);

#endif
