/* SPDX-License-Identifier: MIT */
/*
 * Private to symbol/: a DIE (DWARF 5, 2.1): its attributes, and the strings, addresses and other
 * DIEs that they refer to.
 */
#ifndef SYMBOL_DWARF_DIE_H
#define SYMBOL_DWARF_DIE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "symbol/dwarf/dwarf_file.h"

struct die {
    struct dwarf_file *file;
    struct dwarf_unit *unit;
    uint64_t off; /* in .debug_info */
    enum die_kind kind;
    struct die_values values;
};

/* Names of a function, record or namespace. Text lives as long as the file. */
struct declaration {
    const char *linkage_name; /* NULL: none */
    const char *name;         /* NULL: none */
    /* The declaring DIE: unit_scopes.h finds the scopes around it. */
    struct dwarf_file *file;
    uint64_t off;
};

/* Reads the DIE at `off` of .debug_info. False: there is none, or it is damaged. */
MUST_CHECK bool die_read(struct dwarf_file *file, uint64_t off, struct die *out);

/* Reads a unit's own DIE, at the first call also the unit's bases. False: as die_read. */
MUST_CHECK bool die_read_unit(struct dwarf_file *file, struct dwarf_unit *unit, struct die *out);

/* Returns the bases of a unit; 0 where its DIE does not have them. */
const struct unit_bases *die_unit_bases(struct dwarf_file *file, struct dwarf_unit *unit);

/* Returns a string attribute's text; lives as long as the file. NULL: absent, empty, damaged. */
const char *die_text(const struct die *die, enum die_slot slot);

/*
 * Reads an attribute of class address, given as it is or by its index. False: it is not of that
 * class, or .debug_addr does not have the index.
 */
bool die_address(struct dwarf_file *file, const struct unit_bases *bases,
                 const struct dwarf_unit *unit, const struct form_value *value, uint64_t *out);

/*
 * Finds the names of the DIE at `off`: its own, else those of the DIEs that it refers to as origin
 * or specification, 8 at most. `file` and `off` are the last one's, the declaration's. False: none.
 */
bool die_declaration(struct dwarf_file *file, uint64_t off, struct declaration *out);

#endif
