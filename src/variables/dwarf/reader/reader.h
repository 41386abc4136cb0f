/* SPDX-License-Identifier: MIT */
/*
 * The child's side: debug information through libdwarf. All of it runs in the child only (child.h),
 * where a lack of memory or an error of libdwarf's costs an answer or the child.
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
#define DIE_IN_TYPES   UINT64_C(0x8000) /* bit of the file's number: .debug_types */

struct pc_range {
    uint64_t start, end;
};

struct pc_ranges { /* the user frees `list` */
    struct pc_range *list;
    size_t count, cap;
};

struct code_index;
struct line_index;
struct debug_reader;

/*
 * Some neighbouring units as a file of their own, since libdwarf finds a DIE's unit by going
 * through all units of a file, and stops at the first that it cannot read. DIE offsets in
 * libdwarf's calls count from `base`.
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
    bool in_types;     /* in .debug_types */
    bool is_type_unit; /* has one type: `signature`, `type_off` */
    uint16_t version, address_size, offset_size;
    uint16_t language; /* DW_LANG_… */
    uint64_t header_off, end_off, die_off;
    uint64_t signature; /* of the type; of a split unit and its skeleton: their id; 0: none */
    uint64_t type_off;
    bool is_untracked; /* see struct pc_scope */
    bool is_bad;       /* a child died of it, or it cannot be read */
    bool split_tried;
    struct debug_unit *split;    /* of a skeleton: the unit with its DIEs */
    struct debug_unit *skeleton; /* of a split unit */
    struct code_index *index;    /* code_index.h; NULL: not made yet */
    struct line_index *lines;    /* line_index.h */
};

struct debug_units { /* of one section, by offset */
    struct debug_unit **list;
    size_t count, cap;
    bool is_tried;
};

struct debug_source { /* one file */
    struct debug_file file;
    struct unit_group whole; /* view of the whole file, which other views refer to */
    bool is_tried;           /* `whole` was opened, or failed */
    struct debug_units info, types;
};

struct unit_range { /* code of a unit */
    uint64_t start, end;
    uint64_t max_end; /* largest `end` up to this one */
    struct debug_unit *unit;
};

struct debug_reader {
    const struct libdwarf_calls *dw;
    Dwarf_Error error; /* of the last call */
    uint32_t damage;   /* units and DIEs that could not be read */
    struct debug_source *sources[DEBUG_FILES_MAX];
    size_t source_count;
    const uint64_t *bad_units; /* headers, as die_refs */
    size_t bad_unit_count;
    uint64_t pc_mask; /* clears the bit of the instruction set in code addresses */
    struct child_notes *notes;
    /* Units by address (reader_index_units). */
    bool is_indexed;
    struct unit_range *ranges;
    size_t range_count, range_cap;
    struct debug_unit **loose; /* units without ranges of their own */
    size_t loose_count, loose_cap;
    struct map signatures;     /* type units: signature -> the unit's header as a die_ref */
    struct map split_units;    /* id -> the unit's header as a die_ref */
    struct map entries;        /* functions and their origins: die_ref -> start address */
    struct map definitions;    /* of types: hash of the name -> die_ref */
    uint32_t definitions_file; /* where the search goes on */
    bool definitions_in_types;
    size_t definitions_next;
    int64_t search_ms; /* for one search */
    int in, out;
    struct wire_out answer;
};

/* An open DIE; die_close. */
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

/* Did a call of libdwarf succeed? Frees its error. */
bool reader_ok(struct debug_reader *reader, Dwarf_Debug dbg, int result);

/* unit_groups.c */
/* Returns libdwarf's view of a whole file; NULL: no such file, or it cannot be read. */
Dwarf_Debug reader_whole(struct debug_reader *reader, uint32_t file);
/*
 * Returns the group of the units that begin at *off of .debug_info, or .debug_types, and moves *off
 * behind it. NULL: there are no more.
 */
struct unit_group *unit_group_next(struct debug_reader *reader, uint32_t file, bool in_types,
                                   uint64_t *off);

/* units.c */
/* Returns the unit that holds `ref`; NULL: none, or a bad one. */
struct debug_unit *reader_unit(struct debug_reader *reader, die_ref ref);
/* Returns the unit's language; for a unit without one (of dwz) the first one in the module. */
uint16_t reader_language(struct debug_reader *reader, const struct debug_unit *unit);
/* Returns the units of .debug_info, or .debug_types, read at the first call; NULL: no such file. */
struct debug_units *reader_units(struct debug_reader *reader, uint32_t file, bool in_types);
/* Returns number `i` of the units whose code may hold `vaddr`; NULL: there are no more. */
struct debug_unit *reader_unit_at(struct debug_reader *reader, uint64_t vaddr, size_t i);
/* Returns the unit with the DIEs: of a skeleton its split unit, where that is available. */
struct debug_unit *unit_with_dies(struct debug_reader *reader, struct debug_unit *unit);
void reader_index_units(struct debug_reader *reader);

bool die_open(struct debug_reader *reader, die_ref ref, struct debug_die *out);
void die_close(struct debug_reader *reader, struct debug_die *die);
/* Opens the first child. die_next closes *die and opens its next sibling. False: there is none. */
bool die_first_child(struct debug_reader *reader, const struct debug_die *die,
                     struct debug_die *child);
bool die_next(struct debug_reader *reader, struct debug_die *die);
uint16_t die_tag(struct debug_reader *reader, const struct debug_die *die);
die_ref die_self(struct debug_reader *reader, const struct debug_die *die);

#endif
