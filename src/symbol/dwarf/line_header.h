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

/* Bytes. A longer program is refused: each of its bytes may become a row. */
#define LINE_PROGRAM_MAX (UINT64_C(32) << 20)

/* Bytes. A longer string of a string section, which entries may share, ends a table. */
#define LINE_STRING_MAX 65536

struct line_header {
    uint16_t version;
    uint8_t off_size;
    uint8_t min_length, max_ops, line_range, opcode_base;
    int8_t line_base;
    const uint8_t *operand_counts; /* for standard opcodes 1 to opcode_base - 1 */
    struct cursor tables, program;
};

/*
 * Reads the header at `off` of .debug_line; its pointers are views of `section`. BAD_DATA: damaged,
 * or of an unknown version; UNSUPPORTED: longer than LINE_PROGRAM_MAX.
 */
MUST_CHECK enum status line_header_read(const uint8_t *section, size_t size, uint64_t off,
                                        struct line_header *out);

struct line_entry {
    const char *name; /* borrowed from a section; NULL: not known, or entry 0 before version 5 */
    uint64_t dir;     /* of a file: its index in dirs */
};

/* Indexed by the program's numbers: before version 5 these begin with 1; entry 0 has no name. */
struct line_files {
    struct line_entry *dirs, *files; /* owned */
    size_t dir_count, dir_cap, file_count, file_cap;
};

/* .debug_str and .debug_line_str; empty when absent. */
struct line_strings {
    struct cursor str, line_str;
};

/* Reads both tables, up to damage. Only NO_MEMORY fails. `out` needs deinit in any case. */
MUST_CHECK enum status line_files_read(const struct line_header *header,
                                       const struct line_strings *strings, struct line_files *out);
void line_files_deinit(struct line_files *files);

#endif
