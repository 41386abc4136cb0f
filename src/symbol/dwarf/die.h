/* SPDX-License-Identifier: MIT */
/*
 * Private to symbol/: one DIE (DWARF 5, 2.1): its attributes, and what they refer to: strings,
 * addresses, other DIEs.
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

/* What a function, record or namespace is called. Text lives as long as the file. */
struct declaration {
    const char *linkage_name; /* NULL: has none */
    const char *name;         /* NULL: has none */
    struct dwarf_file *file;  /* where it is declared, which says what it is a part of */
    uint64_t off;
};

/* Reads the DIE at `off` of .debug_info. False: there is none, or it is damaged. */
MUST_CHECK bool die_read(struct dwarf_file *file, uint64_t off, struct die *out);

/* Reads a unit's own DIE, and with it the unit's bases. */
MUST_CHECK bool die_read_unit(struct dwarf_file *file, struct dwarf_unit *unit, struct die *out);

/* The bases of a unit; what its DIE does not say is 0. */
const struct unit_bases *die_unit_bases(struct dwarf_file *file, struct dwarf_unit *unit);

/* A string's text, which lives as long as the file; NULL: it has none, it is empty or damaged. */
const char *die_text(const struct die *die, enum die_slot slot);

/* An address, of the class address: by itself or by index. False: not there. */
bool die_address(struct dwarf_file *file, const struct unit_bases *bases,
                 const struct dwarf_unit *unit, const struct form_value *value, uint64_t *out);

/*
 * The names of the DIE at `off`, its own or those of the DIE that it completes or is a copy of, and
 * of that one's; the last one is the declaration. False: there is no DIE.
 */
bool die_declaration(struct dwarf_file *file, uint64_t off, struct declaration *out);

#endif
