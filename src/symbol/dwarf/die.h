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
    struct dwarf_file *file; /* borrowed */
    struct dwarf_unit *unit; /* borrowed from `file` */
    uint64_t off;            /* offset in .debug_info */
    enum die_kind kind;
    struct die_values values;
};

/* Names of a function, record or namespace. Texts live as long as the file. */
struct declaration {
    const char *linkage_name; /* NULL: none */
    const char *name;         /* NULL: none */
    /*
     * File and offset of the last DIE of the chain origin -> specification -> ..., of at most eight
     * DIEs; of the DIE itself if it refers to none. unit_scopes.h finds the scopes around it.
     */
    struct dwarf_file *file;
    uint64_t off;
};

/* Reads the DIE at offset `off` of .debug_info. False: there is none, or it is damaged. */
MUST_CHECK bool die_read(struct dwarf_file *file, uint64_t off, struct die *out);

/* Reads a unit's own DIE, and at the first call sets unit->bases. False: as die_read. */
MUST_CHECK bool die_read_unit(struct dwarf_file *file, struct dwarf_unit *unit, struct die *out);

/* Returns the bases of a unit, owned by it; members that the unit's DIE does not have are 0. */
const struct unit_bases *die_unit_bases(struct dwarf_file *file, struct dwarf_unit *unit);

/* Returns a string attribute's text; lives as long as the file. NULL: absent, empty, damaged. */
const char *die_text(const struct die *die, enum die_slot slot);

/*
 * Sets *out to the address that an attribute's value is, or is an index of in .debug_addr. False:
 * the value is neither, or .debug_addr does not have the index.
 */
bool die_address(struct dwarf_file *file, const struct unit_bases *bases,
                 const struct dwarf_unit *unit, const struct form_value *value, uint64_t *out);

/*
 * Sets *out to the names of the DIE at `off`: its own, else those of the DIEs that it refers to as
 * origin or specification, one after the other, 8 DIEs in all; out->file and off are the last
 * one's, the declaration's. Names may be NULL. False: no DIE is at `off`, or it is damaged.
 */
bool die_declaration(struct dwarf_file *file, uint64_t off, struct declaration *out);

#endif
