/* SPDX-License-Identifier: MIT */
/*
 * Private to symbol/: an ELF file's DWARF: its sections, when they are first needed, its units, and
 * the abbreviations that they use.
 *
 * Units are those of .debug_info (DWARF 5, 7.5.1; DWARF 2 to 4), up to the first one whose length
 * is unsound; one of a version or word size that is not known is passed over. Type units are known,
 * so that references pass over them, and never read.
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
    DWARF_SECTION_COUNT
};

/*
 * What a file may cost at most, whatever its units share: bytes of abbreviations and of line
 * tables, each time they are read: so many, and each byte of the section so often; entries of range
 * lists, each time a DIE has them, and pairs of .debug_aranges: of these so many, and so many for a
 * byte of the sections that hold them, where an entry has two at least; functions and inlined ones:
 * so many, and one for so many bytes of .debug_info.
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

/* A longer name is none; a DIE of more bytes is none when a reference leads to it. */
#define DWARF_NAME_MAX 65536
#define DWARF_DIE_MAX  (4 * DWARF_NAME_MAX)

/* Tables of abbreviations are cached up to so many bytes. */
#define DWARF_ABBREV_CACHE ((size_t)16 << 20)

struct unit_bases {     /* what the unit's own DIE says about the DIEs below it */
    uint64_t low_pc;    /* lists are relative to it; 0 when absent */
    uint64_t addr_off;  /* the unit's part of .debug_addr */
    uint64_t lists_off; /* the unit's table of offsets in .debug_rnglists */
    uint64_t str_off;   /* the unit's part of .debug_str_offsets */
    bool has_lists, has_strs;
};

struct dwarf_unit {
    uint64_t off, end_off; /* in .debug_info, from the header on */
    uint64_t abbrev_off;
    struct form_sizes sizes;
    uint8_t header_size; /* the unit's own DIE follows the header */
    bool has_code;       /* neither a type unit nor one that others import */
    bool bases_read;     /* for die_unit_bases */
    struct unit_bases bases;
};

struct dwarf_file {
    struct elf_image *image;                     /* borrowed */
    struct dwarf_file *shared;                   /* borrowed; what dwz moved out, or NULL */
    struct cursor sections[DWARF_SECTION_COUNT]; /* for dwarf_section_at */
    uint32_t sections_tried;
    struct dwarf_unit *units; /* by offset */
    size_t unit_count, unit_cap;
    struct abbrev_entry *abbrevs; /* for dwarf_abbrevs */
    struct index abbrev_index;    /* by offset */
    size_t abbrev_count, abbrev_cap, abbrev_bytes;
    uint64_t abbrev_budget, range_budget, line_budget, function_budget; /* what is left */
    bool cut_short; /* something was left out because of one of these, or of another limit */
};

/* NOT_FOUND when there is no unit that can be read. `shared` may be NULL. */
MUST_CHECK enum status dwarf_file_open(struct elf_image *image, struct dwarf_file *shared,
                                       struct dwarf_file **out);
void dwarf_file_close(struct dwarf_file *file);

/* A section from `off` on; empty where that is outside it, or the section is absent. */
struct cursor dwarf_section_at(struct dwarf_file *file, enum dwarf_section section, uint64_t off);

/* The unit whose DIEs are at `off` of .debug_info; NULL. O(log n). */
struct dwarf_unit *dwarf_unit_at(const struct dwarf_file *file, uint64_t off);

/*
 * The abbreviations of a unit, valid until those of another unit are asked for. NULL: no memory, or
 * the budget is spent.
 */
const struct abbrev_table *dwarf_abbrevs(struct dwarf_file *file, const struct dwarf_unit *unit);

#endif
