/* SPDX-License-Identifier: MIT */
/*
 * Private to symbol/: what the DIEs of a unit are in: its namespaces, records and functions, as a
 * flat array, looked up by offset. A DIE does not say what it is a part of; one pass over the unit
 * tells it of all of them.
 */
#ifndef SYMBOL_DWARF_UNIT_SCOPES_H
#define SYMBOL_DWARF_UNIT_SCOPES_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "symbol/dwarf/dwarf_file.h"

#define UNIT_SCOPES_DEPTH_MAX 192 /* of DIEs; scopes that are deeper are left out */

struct scope {
    uint64_t off, end_off; /* in .debug_info, of its DIE and of what is in it */
    uint32_t parent;       /* private */
};

struct unit_scopes;

/* Of at most `max` scopes. Damage ends the pass: what comes before is there. */
MUST_CHECK enum status unit_scopes_create(struct dwarf_file *file, struct dwarf_unit *unit,
                                          size_t max, struct unit_scopes **out);
void unit_scopes_destroy(struct unit_scopes *scopes);

size_t unit_scopes_count(const struct unit_scopes *scopes);

/* The innermost scope that the DIE at `off` is in; NULL: the unit itself. */
const struct scope *unit_scopes_around(const struct unit_scopes *scopes, uint64_t off);

#endif
