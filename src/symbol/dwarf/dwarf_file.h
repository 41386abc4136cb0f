/* SPDX-License-Identifier: MIT */
/*
 * Private to symbol/: the DWARF of an ELF file: its sections, looked up when first needed, its
 * units, and their abbreviations.
 *
 * The units are those of .debug_info (DWARF 5, 7.5.1; DWARF 2 to 4), up to the first unit with an
 * unsound length. A unit of unknown version or word size is left out. Type units are listed, so
 * that references pass over them, but are never read.
 *
 * Split DWARF (DWARF 5, 7.3.2; GNU's form of DWARF 4) leaves a skeleton of a unit in the program's
 * file. A split unit, with the DIEs below, is in a file of its own, or in a package of such files:
 *
 *     program   .debug_info  skeleton ──id──►  .dwo, .dwp   .debug_info.dwo  split unit
 *               .debug_line, .debug_addr                    .debug_abbrev.dwo, .debug_str.dwo,
 *               .debug_ranges (4)                           .debug_rnglists.dwo (5), …
 */
#ifndef SYMBOL_DWARF_DWARF_FILE_H
#define SYMBOL_DWARF_DWARF_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cursor.h"
#include "base/index.h"
#include "base/status.h"
#include "symbol/dwarf/abbrev.h"
#include "symbol/elf/elf_image.h"

enum dwarf_section {
    DWARF_INFO,
    DWARF_ABBREV,
    DWARF_STR,
    DWARF_LINE_STR,
    DWARF_STR_OFFSETS,
    DWARF_ADDR,
    DWARF_LINE,
    DWARF_RANGES,
    DWARF_RNGLISTS,
    DWARF_ARANGES,
    DWARF_CU_INDEX, /* of a package of split files */
    DWARF_SECTION_COUNT
};

/*
 * Limits of the work for one file, however its units share data; `section` is the section read:
 *
 *     bytes of abbreviations read    ABBREV_BUDGET + ABBREV_FACTOR * size of the section
 *     bytes of line tables read      LINE_BUDGET + LINE_FACTOR * size of the section
 *     entries of range lists, and    RANGE_BUDGET + RANGE_FACTOR * size of .debug_ranges,
 *     pairs of .debug_aranges          .debug_rnglists and .debug_aranges
 *     functions and inlined ones     FUNCTION_BUDGET + size of .debug_info / FUNCTION_SIZE
 *
 * Split files add to the last two what their sizes allow, and have no ABBREV_BUDGET.
 */
#define DWARF_ABBREV_BUDGET   (UINT64_C(64) << 20)
#define DWARF_ABBREV_FACTOR   UINT64_C(16)
#define DWARF_RANGE_BUDGET    (UINT64_C(1) << 20)
#define DWARF_RANGE_FACTOR    UINT64_C(4)
#define DWARF_FUNCTION_BUDGET UINT64_C(4000000)
#define DWARF_FUNCTION_SIZE   16
#define DWARF_LINE_BUDGET     (UINT64_C(64) << 20)
#define DWARF_LINE_FACTOR     UINT64_C(2)

#define DWARF_UNITS_MAX 4000000

/* Most bytes of a name, and of a DIE that a reference leads to; a longer one counts as none. */
#define DWARF_NAME_MAX 65536
#define DWARF_DIE_MAX  (4 * DWARF_NAME_MAX)

/* Most bytes of compiled abbreviations that are kept. */
#define DWARF_ABBREV_CACHE ((size_t)16 << 20)

struct unit_bases {     /* from the unit's own DIE, for the DIEs below */
    uint64_t low_pc;    /* address that lists of ranges are relative to; 0: none */
    uint64_t addr_off;  /* offset of the unit's part of .debug_addr */
    uint64_t lists_off; /* offset of the unit's table of offsets in .debug_rnglists */
    uint64_t str_off;   /* offset of the unit's part of .debug_str_offsets */
    /*
     * Of a split unit: added to the offset that DW_AT_ranges of its DIEs is (not to an index), in
     * .debug_ranges or, from DWARF 5 on, .debug_rnglists. Of others: 0.
     */
    uint64_t ranges_off;
    uint64_t info_off;        /* DW_FORM_ref_addr in a package counts from it; else 0 */
    bool has_lists, has_strs; /* lists_off and str_off are set */
};

struct dwarf_unit {
    uint64_t off, end_off; /* offsets of header and end in .debug_info */
    uint64_t abbrev_off;   /* offset of the unit's table in .debug_abbrev */
    uint64_t split_id;     /* DWARF 5: what a skeleton and its split unit have in common; else 0 */
    struct form_sizes sizes;
    uint8_t header_size; /* bytes of the header, behind which the unit's own DIE is */
    bool has_code;       /* false: a type unit, or a partial unit, which others import */
    bool bases_read;     /* `bases` is valid */
    struct unit_bases bases;
};

struct dwarf_file {
    struct elf_image *image;   /* borrowed */
    struct dwarf_file *shared; /* borrowed; the file that dwz moved DWARF to; NULL: none */
    bool is_split;             /* a .dwo or .dwp file: sections are named .debug_info.dwo, … */
    /* borrowed; of a split file: the file with the skeletons and the code; NULL: not known */
    struct dwarf_file *skeletons;
    struct cursor sections[DWARF_SECTION_COUNT]; /* looked up by dwarf_section_at */
    uint32_t sections_tried;                     /* bit (1 << section): was looked up */
    struct dwarf_unit *units;                    /* owned; ascending by offset */
    size_t unit_count, unit_cap;
    struct abbrev_entry *abbrevs; /* owned; use dwarf_abbrevs */
    struct index abbrev_index;    /* finds elements of `abbrevs` by their offset */
    size_t abbrev_count, abbrev_cap, abbrev_bytes;
    /* The work that is left of the limits above. */
    uint64_t abbrev_budget, range_budget, line_budget, function_budget;
    bool cut_short; /* a budget or another limit left something out */
};

/*
 * Lists the units of `image`. `shared`: the file that dwz moved DWARF to; NULL: none. Both are
 * borrowed. NOT_FOUND: there is no readable unit; NO_MEMORY.
 */
MUST_CHECK enum status dwarf_file_open(struct elf_image *image, struct dwarf_file *shared,
                                       struct dwarf_file **out);
/* Does the same for a file of split units, without skeletons so far. */
MUST_CHECK enum status dwarf_file_open_split(struct elf_image *image, struct dwarf_file **out);
void dwarf_file_close(struct dwarf_file *file);

/* Returns the file with the code that the units describe, whose budgets pay for work on both. */
static inline struct dwarf_file *dwarf_code_file(struct dwarf_file *file)
{
    return file->skeletons ? file->skeletons : file;
}

/* Returns a view of a section from `off` on; empty: `off` is outside, or there is no section. */
struct cursor dwarf_section_at(struct dwarf_file *file, enum dwarf_section section, uint64_t off);

/* Returns the unit whose header is at `off`; NULL: none. O(log n). */
struct dwarf_unit *dwarf_unit_from(const struct dwarf_file *file, uint64_t off);

/* Returns the unit whose DIEs include offset `off` of .debug_info; NULL: none. O(log n). */
struct dwarf_unit *dwarf_unit_at(const struct dwarf_file *file, uint64_t off);

/*
 * Returns the compiled abbreviations of a unit, valid until the next call for another unit. NULL:
 * no memory, or abbrev_budget is spent.
 */
const struct abbrev_table *dwarf_abbrevs(struct dwarf_file *file, const struct dwarf_unit *unit);

#endif
