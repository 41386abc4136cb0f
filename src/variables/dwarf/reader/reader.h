/* SPDX-License-Identifier: MIT */
/*
 * The child's side of reading debug information: reads it through libdwarf. All of this runs in the
 * child only (child.h), where a lack of memory or an error of libdwarf's costs an answer or the
 * child.
 *
 *     units.c         units, DIEs by number
 *     unit_groups.c   libdwarf's views of files
 *     unit_ranges.c   units by address
 *     attributes.c    values of attributes
 *     pc_ranges.c     addresses of a DIE
 *     code_index.c    a unit's functions, and what is around a DIE
 *     function_tree.c blocks, inlined functions, variables, call sites of a function
 *     expressions.c   location expressions
 *     scopes.c, variables_of.c, call_sites.c, types.c, line_index.c    answers
 *     serve.c         questions and answers
 */
#ifndef VARIABLES_DWARF_READER_READER_H
#define VARIABLES_DWARF_READER_READER_H

#include <dwarf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "variables/dwarf/child_notes.h"
#include "variables/dwarf/debug_file.h"
#include "variables/dwarf/reader/libdwarf_calls.h"
#include "variables/dwarf/wire.h"
#include "variables/model/location.h"

#define DIE_FILE_SHIFT 48
/* bit of the file's number in a die_ref: the DIE is in .debug_types */
#define DIE_IN_TYPES UINT64_C(0x8000)

struct pc_range {
    uint64_t start, end;
};

struct pc_ranges { /* ranges of addresses; whoever fills it frees `list` */
    struct pc_range *list;
    size_t count, cap;
};

struct code_index;
struct line_index;
struct debug_reader;

/*
 * Some neighbouring units as a file of their own, since libdwarf finds a DIE's unit by going
 * through all units of a file, and stops at the first that it cannot read. DIE offsets in
 * libdwarf's calls are relative to `base`.
 */
struct unit_group {
    struct debug_file file;
    Dwarf_Debug dbg;
    uint64_t base;
    Dwarf_Obj_Access_Interface_a interface;
    Dwarf_Obj_Access_Methods_a methods;
};

struct debug_unit {
    const struct unit_group *group;
    uint32_t file;
    bool in_types;     /* it is in .debug_types */
    bool is_type_unit; /* it has one type, told by `signature` and type_off */
    uint16_t version, address_size, offset_size;
    uint16_t language; /* DW_LANG_…: the unit's language */
    uint64_t header_off, end_off, die_off;
    /* type unit: signature of the type; split unit and its skeleton: their common id; 0: none */
    uint64_t signature;
    uint64_t type_off;
    bool is_untracked; /* is_untracked of struct pc_scope for its functions */
    bool is_bad;       /* a child died of it, or it cannot be read: it is not used */
    bool split_tried;
    struct debug_unit *split;    /* of a skeleton: the split unit with its DIEs; NULL: none known */
    struct debug_unit *skeleton; /* of a split unit: its skeleton; of others: NULL */
    struct code_index *index;    /* made by code_index.h; NULL: not made yet */
    struct line_index *lines;    /* made by line_index.h; NULL: not made yet */
};

struct debug_units { /* the units of one section, sorted by offset */
    struct debug_unit **list;
    size_t count, cap;
    bool is_tried;
};

struct debug_source { /* one file with debug information */
    struct debug_file file;
    struct unit_group whole; /* libdwarf's view of the whole file, which views of groups refer to */
    bool is_tried;           /* opening `whole` was tried; it may have failed */
    struct debug_units info, types;
};

struct unit_range { /* a range of a unit's code */
    uint64_t start, end;
    uint64_t max_end; /* largest `end` of this one and those before */
    struct debug_unit *unit;
};

struct debug_reader {
    const struct libdwarf_calls *dw;
    Dwarf_Error error; /* the error of the last call of libdwarf */
    uint32_t damage;   /* number of units and DIEs that could not be read */
    struct debug_source *sources[DEBUG_FILES_MAX];
    size_t source_count;
    const uint64_t *bad_units; /* units not to be read: die_refs of their headers */
    size_t bad_unit_count;
    uint64_t pc_mask; /* mask that clears the instruction set's bit in code addresses */
    struct child_notes *notes;
    /* Units by address, made by reader_index_units: */
    bool is_indexed;
    struct unit_range *ranges;
    size_t range_count, range_cap;
    struct debug_unit **loose; /* units that do not say which addresses they cover */
    size_t loose_count, loose_cap;
    struct map signatures;     /* type units: signature -> die_ref of the unit's header */
    struct map split_units;    /* split units: id -> die_ref of the unit's header */
    struct map entries;        /* of functions and their origins: die_ref -> start address */
    struct map definitions;    /* of types: hash of the qualified name -> die_ref */
    uint32_t definitions_file; /* with the next two: where the search for definitions goes on */
    bool definitions_in_types;
    size_t definitions_next;
    int64_t search_ms; /* the longest time for one search, in ms */
    int in, out;
    struct wire_out answer;
};

/* An open DIE; die_close closes it. */
struct debug_die {
    Dwarf_Die handle;
    struct debug_unit *unit;
};

static inline uint32_t die_ref_file(die_ref ref)
{
    return (uint32_t)(ref >> DIE_FILE_SHIFT & ~DIE_IN_TYPES);
}

static inline bool die_ref_in_types(die_ref ref)
{
    return ref >> DIE_FILE_SHIFT & DIE_IN_TYPES;
}

static inline uint64_t die_ref_off(die_ref ref)
{
    return ref & ((UINT64_C(1) << DIE_FILE_SHIFT) - 1);
}

static inline die_ref die_ref_make(uint32_t file, bool in_types, uint64_t off)
{
    return (uint64_t)file << DIE_FILE_SHIFT | (in_types ? DIE_IN_TYPES << DIE_FILE_SHIFT : 0) | off;
}

static inline die_ref unit_ref(const struct debug_unit *unit, uint64_t off)
{
    return die_ref_make(unit->file, unit->in_types, off);
}

static inline Dwarf_Debug unit_dbg(const struct debug_unit *unit)
{
    return unit->group->dbg;
}

/* Whether a call of libdwarf with this result succeeded; if it did not, frees the error. */
bool reader_ok(struct debug_reader *reader, Dwarf_Debug dbg, int result);

/* unit_groups.c */
/*
 * Returns libdwarf's view of the whole file number `file`; NULL: there is no such file, or it
 * cannot be read.
 */
Dwarf_Debug reader_whole(struct debug_reader *reader, uint32_t file);
/*
 * Returns the group of units that begins at *off of the file's .debug_info, or if in_types
 * .debug_types, and moves *off to the group's end. NULL: there are no more. The group's `dbg` is
 * NULL if it cannot be read.
 */
struct unit_group *unit_group_next(struct debug_reader *reader, uint32_t file, bool in_types,
                                   uint64_t *off);

/* units.c */
/* Returns the unit that holds the DIE `ref`; NULL: none does, or the unit is bad. */
struct debug_unit *reader_unit(struct debug_reader *reader, die_ref ref);
/*
 * Returns the unit's language, DW_LANG_…; for a unit without one (dwz's) that of the module's first
 * unit that has one; 0: none has.
 */
uint16_t reader_language(struct debug_reader *reader, const struct debug_unit *unit);
/*
 * Returns the units of the file's .debug_info, or if in_types .debug_types, read at the first call;
 * NULL: there is no such file.
 */
struct debug_units *reader_units(struct debug_reader *reader, uint32_t file, bool in_types);
/*
 * Returns number `i`, from 0 on, of the module's units whose code may hold `vaddr`; NULL: there are
 * no more.
 */
struct debug_unit *reader_unit_at(struct debug_reader *reader, uint64_t vaddr, size_t i);
/*
 * Returns the unit that has the DIEs of `unit`: for a skeleton its split unit, if that is
 * available, else `unit` itself.
 */
struct debug_unit *unit_with_dies(struct debug_reader *reader, struct debug_unit *unit);
void reader_index_units(struct debug_reader *reader);

bool die_open(struct debug_reader *reader, die_ref ref, struct debug_die *out);
void die_close(struct debug_reader *reader, struct debug_die *die);
/*
 * die_first_child: opens the first child of `die`, which stays open. die_next: closes *die and
 * opens its next sibling in its place. False: there is none.
 */
bool die_first_child(struct debug_reader *reader, const struct debug_die *die,
                     struct debug_die *child);
bool die_next(struct debug_reader *reader, struct debug_die *die);
uint16_t die_tag(struct debug_reader *reader, const struct debug_die *die);
die_ref die_self(struct debug_reader *reader, const struct debug_die *die);

#endif
