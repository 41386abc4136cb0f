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

/* Properties of a unit that the size of a value depends on, besides its form. */
struct form_sizes {
    uint8_t word; /* bytes of an address: 4 or 8 */
    uint8_t off;  /* bytes of an offset in a section: 4, or 8 in 64-bit DWARF */
    uint8_t version;
};

enum form_class {
    FORM_OTHER,         /* passed over: flag, block, list of locations, type signature */
    FORM_ADDRESS,       /* number */
    FORM_ADDRESS_INDEX, /* number: an index into the unit's part of .debug_addr */
    FORM_CONSTANT,      /* number; in DWARF 2 and 3 also an offset in a section */
    FORM_SECTION_OFF,   /* number */
    FORM_LIST_INDEX,    /* number: an index into the unit's table in .debug_rnglists */
    FORM_TEXT,          /* text */
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
    uint64_t number;  /* a negative constant in two's complement */
    const char *text; /* in the section */
};

/* Sets *size to the bytes of any value of the form; false: it varies, or is an unknown form. */
bool form_size(uint64_t form, const struct form_sizes *sizes, unsigned *size);

/* Moves `c` past a value. False: it does not fit, or its form is not known. */
MUST_CHECK bool form_skip(struct cursor *c, uint64_t form, const struct form_sizes *sizes);

/*
 * Reads a value. The value of DW_FORM_implicit_const is in the abbreviation: the caller sets it.
 * False: as form_skip.
 */
MUST_CHECK bool form_read(struct cursor *c, uint64_t form, const struct form_sizes *sizes,
                          struct form_value *out);

#endif
