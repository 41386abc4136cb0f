/* SPDX-License-Identifier: MIT */
/*
 * Private to symbol/: the forms of attribute values (DWARF 5, 7.5.5 and 7.5.6; DWARF 2 to 4; the
 * GNU forms of dwz and split DWARF): the size of a value, and the value.
 */
#ifndef SYMBOL_DWARF_DWARF_FORM_H
#define SYMBOL_DWARF_DWARF_FORM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cursor.h"

/* Properties of a unit on which, besides the form, the size of a value depends. */
struct form_sizes {
    uint8_t word; /* bytes of an address: 4 or 8 */
    uint8_t off;  /* bytes of an offset in a section: 4, or 8 in 64-bit DWARF */
    uint8_t version;
};

enum form_class {
    FORM_OTHER,         /* no value is read: flag, block, list of locations, type signature */
    FORM_ADDRESS,       /* number: an address */
    FORM_ADDRESS_INDEX, /* number: an index into the unit's part of .debug_addr */
    FORM_CONSTANT,      /* number: a constant; in DWARF 2 and 3 also an offset in a section */
    FORM_SECTION_OFF,   /* number: an offset in a section that the attribute decides */
    FORM_LIST_INDEX,    /* number: an index into the unit's table in .debug_rnglists */
    FORM_TEXT,          /* text: a string in the DIE itself */
    FORM_STR,           /* number: offset in .debug_str */
    FORM_LINE_STR,      /* number: offset in .debug_line_str */
    FORM_SHARED_STR,    /* number: offset in the shared file's .debug_str */
    FORM_STR_INDEX,     /* number: an index into the unit's part of .debug_str_offsets */
    FORM_UNIT_REF,      /* number: offset of a DIE from its unit's header */
    FORM_REF,           /* number: offset of a DIE in .debug_info */
    FORM_SHARED_REF,    /* number: offset of a DIE in the shared file's .debug_info */
};

struct form_value {
    enum form_class class;
    uint64_t number;  /* the number of the class; a negative constant is in two's complement */
    const char *text; /* only with FORM_TEXT; borrowed from the section */
};

/*
 * Sets *size to the bytes of each value of the form; false: values differ in size, or unknown form.
 */
bool form_size(uint64_t form, const struct form_sizes *sizes, unsigned *size);

/* Moves `c` past a value of the form. False: the bytes end before, or the form is not known. */
MUST_CHECK bool form_skip(struct cursor *c, uint64_t form, const struct form_sizes *sizes);

/*
 * Sets *out to the value at `c`, and moves `c` past it. The value of DW_FORM_implicit_const is in
 * the abbreviation: the caller sets out->number. False: as form_skip.
 */
MUST_CHECK bool form_read(struct cursor *c, uint64_t form, const struct form_sizes *sizes,
                          struct form_value *out);

#endif
