/* SPDX-License-Identifier: MIT */
/*
 * Answers questions about types in a firmware's debug information: what a name is, where a member
 * is, how large something is. A type is given by the offset of its entry in .debug_info (type_off).
 * Typedefs and qualifiers are looked through; members of unnamed members count as members; in the
 * middle of a path, an array stands for its first element. Private to boards/rtos/debug/.
 */
#ifndef BOARDS_RTOS_DEBUG_TYPES_H
#define BOARDS_RTOS_DEBUG_TYPES_H

#include "boards/rtos/debug/entries.h"

#define TYPES_PATH_MAX 128

/* The things that a name stands for: offsets of their entries in .debug_info. */
struct named {
    const char *name;
    size_t length;
    uint64_t record_off, typedef_off, variable_off; /* 0: none of this kind */
    bool has_value;                                 /* the name is an enumerator's */
    uint64_t value;                                 /* value of the enumerator */
};

/* The member, or the whole thing, that a path leads to. */
struct type_place {
    uint64_t off;      /* bytes from the beginning of the thing that the path begins at */
    uint64_t type_off; /* the member's type */
};

/*
 * Reads the entry of the type behind typedefs and qualifiers. False: there is none, as for `void`.
 */
MUST_CHECK bool type_bare(struct entries *entries, uint64_t type_off, struct entry *out);

/* Returns the size of a type in bytes; 0: not known, or above UINT32_MAX. */
uint64_t type_size(struct entries *entries, uint64_t type_off);
/* Whether the type is a signed integer; false also if that is not known. */
bool type_is_signed(struct entries *entries, uint64_t type_off);

/*
 * For an array: sets *count to the number of elements of all dimensions together (0: not known),
 * and *element_off to their type. False: the type is no array.
 */
MUST_CHECK bool type_elements(struct entries *entries, uint64_t type_off, uint64_t *count,
                              uint64_t *element_off);

/*
 * Sets *out to the end of `path`, `length` bytes, from the structure, typedef or variable of
 * `named`: "" (that thing itself) or ".base.prio". False: there is no such member.
 */
MUST_CHECK bool type_path(struct entries *entries, const struct named *named, const char *path,
                          size_t length, struct type_place *out);

/*
 * Goes through the children of an entry: with is_first *at is the parent, and becomes its first
 * child; else *at is a child, and becomes the next one. False: there are no more.
 */
MUST_CHECK bool type_member(struct entries *entries, struct entry *at, bool is_first);

/* Whether the DW_TAG is that of a structure, union or class. */
bool type_is_record(unsigned tag);

#endif
