/* SPDX-License-Identifier: MIT */
/*
 * Reads entries of .debug_info (DWARF 5, 2.1, 7.5), with the attributes that describe types and
 * variables. Private to boards/rtos/debug/.
 *
 * src/symbol/dwarf/ reads functions and skips types and variables; libdwarf, which
 * src/variables/dwarf/ uses, is loaded at run time, which a static program cannot do. So this is a
 * reader of its own, which uses the reader of forms in src/symbol/dwarf/.
 */
#ifndef BOARDS_RTOS_DEBUG_ENTRIES_H
#define BOARDS_RTOS_DEBUG_ENTRIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cursor.h"
#include "boards/rtos/debug/firmware.h"
#include "symbol/dwarf/dwarf_form.h"

/* Limits, beyond which the rest is not read. */
#define ENTRIES_UNITS_MAX   100000
#define ENTRIES_ABBREVS_MAX 100000   /* abbreviations of a unit; ten times as many attributes */
#define ENTRIES_READ_MAX    50000000 /* entries read of a file; an entry read again counts again */
#define ENTRIES_TABLES      32       /* most tables of abbreviations that are kept */
#define ENTRIES_TABLE_READS 2000000  /* abbreviations read of a file; read again counts again */

struct entry_unit {
    /* Offsets in .debug_info of header, first entry and end; offset in .debug_abbrev. */
    uint64_t off, first_off, end_off, abbrev_off;
    uint64_t strings_off; /* offset of the unit's part in .debug_str_offsets */
    struct form_sizes sizes;
};

struct entry {
    uint64_t off, next_off; /* offsets in .debug_info: of the entry; of the first child or next */
    unsigned tag;           /* DW_TAG_*; 0: end of a list of children */
    bool has_children, is_declaration;
    const char *name; /* NULL: none; borrowed from the firmware */
    /* Attributes; of an absent one the value is 0 and has_... false. */
    bool has_size, has_offset, has_count, has_value, has_addr;
    uint64_t type_off, origin_off; /* offsets in .debug_info of other entries */
    uint64_t size, member_off, count, addr;
    uint64_t value;
    uint64_t encoding;
};

struct entry_table; /* the abbreviations of a unit */

struct entries {
    struct cursor info, abbrev, strings, line_strings, string_offsets;
    struct entry_unit *units; /* owned; ascending by offset */
    size_t unit_count, unit_cap;
    struct entry_table *tables[ENTRIES_TABLES]; /* owned */
    uint64_t reads_left, table_reads_left;      /* until ENTRIES_READ_MAX, ENTRIES_TABLE_READS */
    bool no_memory;                             /* memory was short: nothing more is read */
};

/* Lists the units of the firmware, which is borrowed. BAD_DATA: there are none; NO_MEMORY. */
MUST_CHECK enum status entries_open(struct firmware *firmware, struct entries *out);
void entries_close(struct entries *entries);

/*
 * Reads the entry at offset `off` of .debug_info. False: no entry is there, it is damaged, a limit
 * is reached, or memory is short (entries->no_memory).
 */
MUST_CHECK bool entry_read(struct entries *entries, uint64_t off, struct entry *out);

/* Does what entry_read does, faster, for an offset in `unit`, one of entries->units. */
MUST_CHECK bool entry_read_in(struct entries *entries, const struct entry_unit *unit, uint64_t off,
                              struct entry *out);

/* Reads the entry behind `entry` and its descendants: a sibling, or tag 0. False: as entry_read. */
MUST_CHECK bool entry_after(struct entries *entries, const struct entry *entry, struct entry *out);

#endif
