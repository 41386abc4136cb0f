/* SPDX-License-Identifier: MIT */
/*
 * The entries of .debug_info (DWARF 5, 2.1, 7.5), with those attributes that tell of types and
 * variables. Private to rtos/debug/.
 *
 * src/symbol/dwarf/ reads functions and passes over all this as fast as it can. libdwarf, which
 * src/variables/dwarf/ asks, is loaded when it is needed, and a static program cannot do that. So
 * this is a reader of its own, on the forms of the former.
 */
#ifndef RTOS_DEBUG_ENTRIES_H
#define RTOS_DEBUG_ENTRIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cursor.h"
#include "rtos/debug/firmware.h"
#include "symbol/dwarf/dwarf_form.h"

#define ENTRIES_UNITS_MAX   100000
#define ENTRIES_ABBREVS_MAX 100000   /* of one unit; as many attributes each ten */
#define ENTRIES_READ_MAX    50000000 /* entries that are read of a file, each time they are */
#define ENTRIES_TABLES      32       /* of abbreviations that are kept */
#define ENTRIES_TABLE_READS 2000000  /* abbreviations that are read, each time they are */

struct entry_unit {
    uint64_t off, first_off, end_off, abbrev_off; /* off: of its header, in .debug_info */
    uint64_t strings_off;                         /* its part of .debug_str_offsets */
    struct form_sizes sizes;
};

struct entry {
    uint64_t off, next_off; /* the one behind, which is its first child where it has some */
    unsigned tag;           /* 0: the end of a list of children */
    bool has_children, is_declaration;
    const char *name; /* NULL: it has none; valid as long as the firmware */
    /* What is not there is 0, and has_…: false. */
    bool has_size, has_offset, has_count, has_value, has_addr;
    uint64_t type_off, origin_off;
    uint64_t size, member_off, count, addr;
    uint64_t value;
    uint64_t encoding;
};

struct entry_table; /* of abbreviations */

struct entries {
    struct cursor info, abbrev, strings, line_strings, string_offsets;
    struct entry_unit *units; /* owned; by offset */
    size_t unit_count, unit_cap;
    struct entry_table *tables[ENTRIES_TABLES]; /* owned */
    uint64_t reads_left, table_reads_left;
    bool no_memory;
};

/* BAD_DATA: there are no units. */
MUST_CHECK enum status entries_open(struct firmware *firmware, struct entries *out);
void entries_close(struct entries *entries);

/*
 * The entry at `off` of .debug_info. False: there is none, it is damaged, or too much was read
 * (no_memory: or there is none).
 */
MUST_CHECK bool entry_read(struct entries *entries, uint64_t off, struct entry *out);

/* The same where its unit is known. */
MUST_CHECK bool entry_read_in(struct entries *entries, const struct entry_unit *unit, uint64_t off,
                              struct entry *out);

/* The entry behind `entry` and all that is in it. False as above. */
MUST_CHECK bool entry_after(struct entries *entries, const struct entry *entry, struct entry *out);

#endif
