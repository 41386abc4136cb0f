/* SPDX-License-Identifier: MIT */
/*
 * File, line and inlined functions of an address, from DWARF. One debug_lines for each ELF file;
 * line tables and inline trees are read once per compilation unit, at the first look-up in it.
 */
#ifndef SYMBOL_DWARF_LINES_H
#define SYMBOL_DWARF_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "symbol/elf/elf_image.h"

#define LINES_INLINE_DEPTH_MAX 64

struct line_frame {
    /* Linkage name, else as qualified.h makes it; NULL: not known. Owned by the debug_lines. */
    const char *function;
    const char *file; /* full path as DWARF has it; NULL: not known */
    uint32_t line;    /* 0: not known */
    /* Of an inlined copy without linkage name: start of its unit's real function; 0: not known. */
    uint64_t real_vaddr;
};

struct debug_lines;

/* What to look up: file and line; real and inlined functions. Nothing else is read. */
enum { LINES_PLACES = 1, LINES_FUNCTIONS = 2 };

/*
 * Indexes the units of `image`. `shared` (may be NULL) is the file that .gnu_debugaltlink names.
 * Borrows both. NOT_FOUND: no readable .debug_info; NO_MEMORY.
 */
MUST_CHECK enum status debug_lines_create(struct elf_image *image, struct elf_image *shared,
                                          struct debug_lines **out);
void debug_lines_destroy(struct debug_lines *lines);

/*
 * Looks up `what` for `vaddr`. Fills frames[0...*count-1], innermost inlined function first, real
 * function last; without LINES_FUNCTIONS one frame without function. *start_vaddr: where the real
 * function starts (0: not known). NOT_FOUND: DWARF has nothing there, or is damaged; NO_MEMORY.
 */
MUST_CHECK enum status debug_lines_find(struct debug_lines *lines, unsigned what, uint64_t vaddr,
                                        struct line_frame frames[LINES_INLINE_DEPTH_MAX],
                                        size_t *count, uint64_t *start_vaddr);

/*
 * Returns the file's path when a limit of dwarf_file.h, unit_functions.h, line_header.h or
 * qualified.h left out something that was looked up: the file is hostile, or gigantic. Else NULL.
 */
const char *debug_lines_cut_short(const struct debug_lines *lines);

#endif
