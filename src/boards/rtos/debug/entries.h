/* SPDX-License-Identifier: MIT */
/*
 * Reads entries of .debug_info (DWARF 5, 2.1, 7.5), with the attributes that describe types and
 * variables. Private to boards/rtos/debug/.
 *
 * src/symbol/dwarf/ reads functions and skips all this; libdwarf, which src/variables/dwarf/ asks,
 * is loaded when needed, which a static program cannot do. So this is a reader of its own, on the
 * forms of the former.
 */
#ifndef BOARDS_RTOS_DEBUG_ENTRIES_H
#define BOARDS_RTOS_DEBUG_ENTRIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cursor.h"
#include "boards/rtos/debug/firmware.h"
#include "symbol/dwarf/dwarf_form.h"

#define ENTRIES_UNITS_MAX   100000
#define ENTRIES_ABBREVS_MAX 100000   /* of one unit; ten times as many attributes */
#define ENTRIES_READ_MAX    50000000 /* entries read of a file, repeats included */
#define ENTRIES_TABLES      32       /* cached tables of abbreviations */
#define ENTRIES_TABLE_READS 2000000  /* abbreviations read, repeats included */

struct entry_unit {
    uint64_t off, first_off, end_off, abbrev_off; /* off: of its header in .debug_info */
    uint64_t strings_off;                         /* start of its part of .debug_str_offsets */
    struct form_sizes sizes;
};

struct entry {
    uint64_t off, next_off; /* next_off: the following entry, the first child if it has any */
    unsigned tag;           /* 0: end of a list of children */
    bool has_children, is_declaration;
    const char *name; /* NULL: none; borrowed from the firmware */
    /* 0: not there; has_...: false. */
    bool has_size, has_offset, has_count, has_value, has_addr;
    uint64_t type_off, origin_off;
    uint64_t size, member_off, count, addr;
    uint64_t value;
    uint64_t encoding;
};

struct entry_table; /* abbreviations */

struct entries {
    struct cursor info, abbrev, strings, line_strings, string_offsets;
    struct entry_unit *units; /* owned; ascending by offset */
    size_t unit_count, unit_cap;
    struct entry_table *tables[ENTRIES_TABLES]; /* owned */
    uint64_t reads_left, table_reads_left;
    bool no_memory;
};

/* Opens the firmware's .debug_info, which is borrowed. BAD_DATA: no units; NO_MEMORY. */
MUST_CHECK enum status entries_open(struct firmware *firmware, struct entries *out);
void entries_close(struct entries *entries);

/* Reads the entry at `off` of .debug_info. False: none, damaged, a limit, or no_memory. */
MUST_CHECK bool entry_read(struct entries *entries, uint64_t off, struct entry *out);

/* entry_read with a known unit. */
MUST_CHECK bool entry_read_in(struct entries *entries, const struct entry_unit *unit, uint64_t off,
                              struct entry *out);

/* Reads the entry that follows `entry` and its descendants. False as entry_read. */
MUST_CHECK bool entry_after(struct entries *entries, const struct entry *entry, struct entry *out);

#endif
