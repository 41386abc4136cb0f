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
#include "symbol/dwarf/split_unit.h"
#include "symbol/elf/elf_image.h"

#define LINES_INLINE_DEPTH_MAX 64 /* most frames of an address */

struct line_frame { /* texts are owned by the debug_lines */
    /* Linkage name, else a name as qualified.h makes it; NULL: not known. */
    const char *function;
    const char *file; /* full path as DWARF has it; NULL: not known */
    uint32_t line;    /* 0: not known */
    /*
     * For an inlined copy of a function without linkage name: start of the function itself in the
     * same unit; 0: not known.
     */
    uint64_t real_vaddr;
};

struct debug_lines;

/* Facts to look up, as bits: file and line; real and inlined functions. Others are not read. */
enum { LINES_PLACES = 1, LINES_FUNCTIONS = 2 };

struct lines_files {          /* all borrowed */
    struct elf_image *image;  /* the file with .debug_info */
    struct elf_image *shared; /* the file that .gnu_debugaltlink names; NULL: none */
    /* Finds units of split files, with `context`; NULL: there are none. */
    split_find_fn *find_split;
    void *context;
};

/* Indexes the units of files->image. NOT_FOUND: there is no readable .debug_info; NO_MEMORY. */
MUST_CHECK enum status debug_lines_create(const struct lines_files *files,
                                          struct debug_lines **out);
void debug_lines_destroy(struct debug_lines *lines);

/*
 * Looks up the facts `what` (LINES_* bits) for `vaddr`. Sets frames[0] to frames[*count - 1]: the
 * innermost inlined function first, the real function last; without LINES_FUNCTIONS one frame
 * without function. *start_vaddr: start of the real function; 0: not known. NOT_FOUND: DWARF has
 * nothing for `vaddr`, or is damaged; NO_MEMORY.
 */
MUST_CHECK enum status debug_lines_find(struct debug_lines *lines, unsigned what, uint64_t vaddr,
                                        struct line_frame frames[LINES_INLINE_DEPTH_MAX],
                                        size_t *count, uint64_t *start_vaddr);

/*
 * Returns a file's path if a limit of dwarf_file.h, unit_functions.h, line_header.h or
 * qualified.h has left out something that was looked up, so that the file is hostile or gigantic;
 * else NULL.
 */
const char *debug_lines_cut_short(const struct debug_lines *lines);

#endif
