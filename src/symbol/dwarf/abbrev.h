/* SPDX-License-Identifier: MIT */
/*
 * Private to symbol/: a table of .debug_abbrev (DWARF 5, 7.5.3), compiled for the units that use
 * it: each abbreviation becomes a short program that passes over or reads the attributes of a DIE.
 *
 * Most DIEs of a unit (types, variables, parameters) are only passed over. Neighbouring attributes
 * of fixed size become one step, so that many of them take a single addition. Attributes that have
 * a slot (enum die_slot) are read in units, functions and inlined functions; in types only
 * DW_AT_sibling, which leads past their children; in records and namespaces also the names.
 */
#ifndef SYMBOL_DWARF_ABBREV_H
#define SYMBOL_DWARF_ABBREV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cursor.h"
#include "base/status.h"
#include "symbol/dwarf/dwarf_form.h"

/* Most bytes of a table in the file, and most bytes of memory for the compiled table. */
#define ABBREV_TABLE_MAX ((size_t)16 << 20)

enum die_slot { /* attributes that are read */
                SLOT_NAME,
                SLOT_LINKAGE_NAME,
                SLOT_LOW_PC,
                SLOT_HIGH_PC,
                SLOT_RANGES,
                SLOT_ORIGIN,        /* DW_AT_abstract_origin */
                SLOT_SPECIFICATION, /* the declaration that this DIE completes */
                SLOT_CALL_FILE,
                SLOT_CALL_LINE,
                SLOT_DECL_LINE, /* line and column are read for records only */
                SLOT_DECL_COLUMN,
                SLOT_SIBLING,
                SLOT_STMT_LIST,
                SLOT_COMP_DIR,
                SLOT_LANGUAGE,
                SLOT_STR_BASE,
                SLOT_ADDR_BASE,
                SLOT_LISTS_BASE,
                SLOT_DWO_NAME,    /* in a skeleton: the file with its split unit */
                SLOT_DWO_ID,      /* GNU's split DWARF 4: of a skeleton and its split unit */
                SLOT_RANGES_BASE, /* GNU's split DWARF 4, in a skeleton: of its split unit */
                SLOT_COUNT
};

struct die_values {
    uint32_t present; /* bit (1 << slot) is set: value[slot] is valid */
    struct form_value value[SLOT_COUNT];
};

enum die_kind {
    DIE_PASSED, /* no function, but functions may be among its descendants */
    DIE_TYPE,   /* no function among its descendants, in any language */
    DIE_RECORD, /* a structure, class or union: no function among its descendants in C */
    DIE_NAMESPACE,
    DIE_UNIT,
    DIE_FUNCTION,
    DIE_INLINED,
};

struct abbrev {
    uint64_t code;
    uint32_t first_step, step_count;
    uint8_t kind; /* enum die_kind */
    bool has_children;
};

struct abbrev_table;

/*
 * Compiles the table at offset `off` of `section` (.debug_abbrev) for units of these sizes, up to
 * its end or damage. *end_off (`end_off` may be NULL): the offset there. Fails only with NO_MEMORY.
 */
MUST_CHECK enum status abbrev_table_create(struct cursor section, uint64_t off,
                                           const struct form_sizes *sizes, uint64_t *end_off,
                                           struct abbrev_table **out);
void abbrev_table_destroy(struct abbrev_table *table);

/* Returns the bytes of memory that the table takes. */
size_t abbrev_table_size(const struct abbrev_table *table);

/* Returns the abbreviation with this code, owned by the table; NULL: none. */
const struct abbrev *abbrev_find(const struct abbrev_table *table, uint64_t code);

/*
 * Moves `c`, which is behind a DIE's code, past the DIE's attributes. False: the bytes end before,
 * or an attribute has an unknown form.
 */
MUST_CHECK bool abbrev_skip(const struct abbrev_table *table, const struct abbrev *abbrev,
                            struct cursor *c);

/* Does what abbrev_skip does, and sets *out to the attributes that have a slot. */
MUST_CHECK bool abbrev_read(const struct abbrev_table *table, const struct abbrev *abbrev,
                            struct cursor *c, struct die_values *out);

static inline bool die_has(const struct die_values *values, enum die_slot slot)
{
    return values->present >> slot & 1;
}

#endif
