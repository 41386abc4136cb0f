/* SPDX-License-Identifier: MIT */
/*
 * File, line and inlined functions of an address, from DWARF. One debug_lines per ELF file; line
 * tables and inline trees are read once per compilation unit and only for units that are hit.
 */
#ifndef SYMBOL_DWARF_LINES_H
#define SYMBOL_DWARF_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "symbol/elf/elf_image.h"

#define LINES_INLINE_DEPTH_MAX 64

struct line_frame {
    const char *function; /* linkage name when there is one, else as in qualified.h; NULL: not
                             known. Owned by the debug_lines */
    const char *file;     /* full path as DWARF has it, or NULL; owned by the debug_lines */
    uint32_t line;        /* 0: not known */
    /* Of a copy without linkage name: where the real function of its unit starts; 0: not known. */
    uint64_t real_vaddr;
};

struct debug_lines;

/* What is asked for: file and line; functions, real and inlined. Nothing else is read. */
enum { LINES_PLACES = 1, LINES_FUNCTIONS = 2 };

/*
 * NOT_FOUND when the image has no .debug_info. `shared` (may be NULL) is the file that
 * .gnu_debugaltlink names. Both are borrowed and must outlive it.
 */
MUST_CHECK enum status debug_lines_create(struct elf_image *image, struct elf_image *shared,
                                          struct debug_lines **out);
void debug_lines_destroy(struct debug_lines *lines);

/*
 * Fills frames[0…*count-1], innermost inlined first, the real function last; without
 * LINES_FUNCTIONS one frame that has none. *start_vaddr is the real function's low pc (0: not
 * known). NOT_FOUND when DWARF says nothing of the address; damaged units say nothing.
 */
MUST_CHECK enum status debug_lines_find(struct debug_lines *lines, unsigned what, uint64_t vaddr,
                                        struct line_frame frames[LINES_INLINE_DEPTH_MAX],
                                        size_t *count, uint64_t *start_vaddr);

/*
 * The file's path when something that was asked for was left out because of a limit of
 * dwarf_file.h, unit_functions.h or line_header.h: it is hostile, or gigantic. Else NULL.
 */
const char *debug_lines_cut_short(const struct debug_lines *lines);

#endif
