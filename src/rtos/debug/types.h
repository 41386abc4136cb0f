/* SPDX-License-Identifier: MIT */
/*
 * Types of a firmware's debug information: what a name is, where a member is, how large something
 * is. Typedefs and qualifiers are looked through; members of members without a name are members;
 * of an array, in the middle of a path, the first element is meant. Private to rtos/debug/.
 */
#ifndef RTOS_DEBUG_TYPES_H
#define RTOS_DEBUG_TYPES_H

#include "rtos/debug/entries.h"

#define TYPES_PATH_MAX 128

/* Something that names can stand for. */
struct named {
    const char *name;
    size_t length;
    uint64_t record_off, typedef_off, variable_off; /* 0: there is none */
    bool has_value;                                 /* an enumerator */
    uint64_t value;
};

/* What a path leads to. */
struct type_place {
    uint64_t off; /* from where its first name is */
    uint64_t type_off;
};

/* The type behind typedefs and qualifiers. False: there is none, as of `void`. */
MUST_CHECK bool type_bare(struct entries *entries, uint64_t type_off, struct entry *out);

/* Bytes; 0: not known. */
uint64_t type_size(struct entries *entries, uint64_t type_off);
bool type_is_signed(struct entries *entries, uint64_t type_off);

/* Of an array: how many elements, of which type. False: it is none. */
MUST_CHECK bool type_elements(struct entries *entries, uint64_t type_off, uint64_t *count,
                              uint64_t *element_off);

/* Follows `path`, which begins behind the name: "" or ".base.prio". */
MUST_CHECK bool type_path(struct entries *entries, const struct named *named, const char *path,
                          size_t length, struct type_place *out);

/* The next member of a structure, from *at on, which begins as the structure. False: no more. */
MUST_CHECK bool type_member(struct entries *entries, struct entry *at, bool is_first);

bool type_is_record(unsigned tag);

#endif
