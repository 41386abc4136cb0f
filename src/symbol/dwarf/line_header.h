/* SPDX-License-Identifier: MIT */
/*
 * Private to symbol/: the header of a line number program (DWARF 5, 6.2.4; DWARF 4, 6.2.4 for
 * versions 2 to 4): its parameters, and the tables of directories and files.
 */
#ifndef SYMBOL_DWARF_LINE_HEADER_H
#define SYMBOL_DWARF_LINE_HEADER_H

#include <stddef.h>
#include <stdint.h>

#include "base/cursor.h"
#include "base/status.h"

/* Most bytes of a program; a longer one is refused, as each byte may become a row. */
#define LINE_PROGRAM_MAX (UINT64_C(32) << 20)

/*
 * Most bytes of a string in a string section; a longer one, which entries may share, ends a table.
 */
#define LINE_STRING_MAX 65536

struct line_header { /* pointers and cursors are views of .debug_line */
    uint16_t version;
    uint8_t off_size; /* bytes of an offset in a section: 4 or 8 */
    uint8_t min_length, max_ops, line_range, opcode_base;
    int8_t line_base;
    const uint8_t *operand_counts; /* for standard opcodes 1 to opcode_base - 1 */
    struct cursor tables, program; /* bytes of the tables of directories and files; the program */
};

/*
 * Sets *out to the header at offset `off` of .debug_line, the `size` bytes at `section`. BAD_DATA:
 * the header is damaged, or of an unknown version; UNSUPPORTED: the program is longer than
 * LINE_PROGRAM_MAX.
 */
MUST_CHECK enum status line_header_read(const uint8_t *section, size_t size, uint64_t off,
                                        struct line_header *out);

struct line_entry {
    const char *name; /* borrowed from a section; NULL: not known, or entry 0 before version 5 */
    uint64_t dir;     /* for a file: index of its directory in line_files.dirs */
};

/* The tables, indexed by the program's numbers; before version 5 these begin with 1. */
struct line_files {
    struct line_entry *dirs, *files; /* owned */
    size_t dir_count, dir_cap, file_count, file_cap;
};

/* The sections .debug_str and .debug_line_str; empty if absent. */
struct line_strings {
    struct cursor str, line_str;
};

/*
 * Sets *out to both tables, up to damage. Fails only with NO_MEMORY; line_files_deinit is to be
 * called then, too.
 */
MUST_CHECK enum status line_files_read(const struct line_header *header,
                                       const struct line_strings *strings, struct line_files *out);
void line_files_deinit(struct line_files *files);

#endif
