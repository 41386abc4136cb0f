/* SPDX-License-Identifier: MIT */
/*
 * Answers questions about types in a firmware's debug information: what a name is, where a member
 * is, how large something is. Typedefs and qualifiers are looked through; members of unnamed
 * members count as members; in the middle of a path, an array stands for its first element. Private
 * to boards/rtos/debug/.
 */
#ifndef BOARDS_RTOS_DEBUG_TYPES_H
#define BOARDS_RTOS_DEBUG_TYPES_H

#include "boards/rtos/debug/entries.h"

#define TYPES_PATH_MAX 128

/* What a name stands for. */
struct named {
    const char *name;
    size_t length;
    uint64_t record_off, typedef_off, variable_off; /* 0: none */
    bool has_value;                                 /* an enumerator */
    uint64_t value;
};

/* The end of a path. */
struct type_place {
    uint64_t off; /* from the place of the path's first name */
    uint64_t type_off;
};

/* Reads the type behind typedefs and qualifiers. False: none, as for `void`. */
MUST_CHECK bool type_bare(struct entries *entries, uint64_t type_off, struct entry *out);

/* Returns the size in bytes; 0: not known. */
uint64_t type_size(struct entries *entries, uint64_t type_off);
bool type_is_signed(struct entries *entries, uint64_t type_off);

/* For an array: sets the count of elements, of all dimensions, and their type. False: no array. */
MUST_CHECK bool type_elements(struct entries *entries, uint64_t type_off, uint64_t *count,
                              uint64_t *element_off);

/* Follows `path`, which begins after the name: "" or ".base.prio". False: it leads nowhere. */
MUST_CHECK bool type_path(struct entries *entries, const struct named *named, const char *path,
                          size_t length, struct type_place *out);

/* Reads the next member into *at, which is the structure, then each member. False: no more. */
MUST_CHECK bool type_member(struct entries *entries, struct entry *at, bool is_first);

bool type_is_record(unsigned tag);

#endif
