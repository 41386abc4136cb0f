/*
 * Private to symbol/: an ELF file's DWARF as libdwarf reads it, with the few questions that lines
 * and inlined functions ask.
 *
 * libdwarf takes the sections from the elf_image (mapped, decompressed, zeroes behind them). Unit
 * headers are checked before it sees them; work on one unit is limited by a budget, since ranges
 * may be shared by every DIE.
 */
#ifndef SYMBOL_DWARF_FILE_H
#define SYMBOL_DWARF_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <dwarf.h>
#include <libdwarf.h>

#include "base/status.h"
#include "symbol/abbrev.h"
#include "symbol/elf_image.h"

#define DWARF_SECTION_MAX 16

/*
 * For one unit: bytes of DIEs walked over, again for each level of the tree that they are passed
 * on, and entries of range lists.
 */
#define DWARF_UNIT_BUDGET (UINT64_C(256) << 20)

struct dwarf_section {
    const char *name;
    const uint8_t *bytes;
    uint64_t size;
    bool hidden; /* not shown to libdwarf */
};

struct dwarf_file {
    struct elf_image *image; /* borrowed */
    Dwarf_Debug dbg;
    Dwarf_Error error;
    Dwarf_Obj_Access_Interface access;
    struct dwarf_section sections[DWARF_SECTION_MAX]; /* the first one is ELF's empty section */
    size_t section_count;
    struct abbrev_copy abbrev; /* what libdwarf gets as .debug_abbrev */
    struct dwarf_file *shared; /* borrowed; what dwz moved out of this file, or NULL */
    uint64_t budget;           /* what is left of DWARF_UNIT_BUDGET */
};

/* NOT_FOUND when there is no DWARF that libdwarf accepts. */
MUST_CHECK enum status dwarf_file_open(struct elf_image *image, struct dwarf_file *shared,
                                       struct dwarf_file **out);
void dwarf_file_close(struct dwarf_file *file);

/* A section by name; NULL when absent. */
const struct dwarf_section *dwarf_file_section(const struct dwarf_file *file, const char *name);

/* Takes `amount` from the budget; false when that is not there any more. */
bool dwarf_spend(struct dwarf_file *file, uint64_t amount);

/* Whether a libdwarf call that was given &file->error came out well; disposes of the error. */
bool dwarf_ok(struct dwarf_file *file, int result);

/* Attributes of a DIE; false or NULL when absent or damaged. Strings live as long as the file. */
bool die_number(struct dwarf_file *file, Dwarf_Die die, Dwarf_Half name, uint64_t *out);
const char *die_string(struct dwarf_file *file, Dwarf_Die die, Dwarf_Half name);
bool die_form(struct dwarf_file *file, Dwarf_Die die, Dwarf_Half name, Dwarf_Half *form);
/* A section offset (DW_AT_stmt_list, DW_AT_ranges). */
bool die_section_off(struct dwarf_file *file, Dwarf_Die die, Dwarf_Half name, uint64_t *out);

/* The DIE that an attribute refers to, and its file; the caller's to dwarf_dealloc_die. */
bool die_reference(struct dwarf_file *file, Dwarf_Die die, Dwarf_Half name,
                   struct dwarf_file **target_file, Dwarf_Die *target);

#endif
