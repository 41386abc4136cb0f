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
    enum die_kind kind;
    struct die_values values;
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
 * The linkage name of a function, else its name, its own or that of the DIE that it completes or is
 * a copy of; NULL. Lives as long as the file.
 */
const char *die_function_name(struct dwarf_file *file, uint64_t off);

#endif
