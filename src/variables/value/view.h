/* SPDX-License-Identifier: MIT */
/* Shared by the files of value/: objects with their types looked up, and their bits. */
#ifndef VARIABLES_VALUE_VIEW_H
#define VARIABLES_VALUE_VIEW_H

#include "variables/value/value.h"

/* An object and its stripped type; the place is borrowed. */
struct value_view {
    die_ref ref;             /* the type as named */
    const struct type *type; /* stripped; of void: value_void */
    unsigned dims_passed;
    const struct place_of_object *place;
    uint64_t bit_off, bit_size; /* as in struct object */
};

extern const struct type value_void;

/* Makes a view and strips its type. Fails with NO_MEMORY only. */
MUST_CHECK enum status value_view_make(const struct value_source *source, die_ref ref,
                                       const struct place_of_object *place, uint64_t bit_off,
                                       struct value_view *out);
MUST_CHECK enum status value_view_object(const struct value_source *source,
                                         const struct object *object, struct value_view *out);

/* As value_strip, but void is value_void. Fails with NO_MEMORY only. */
MUST_CHECK enum status value_strip_any(const struct value_source *source, die_ref ref,
                                       const struct type **out);

/* Computes the bytes of an object; false: not known, or more than 2^48. */
bool value_size(const struct value_source *source, const struct type *type, unsigned dims_passed,
                uint64_t *size);
bool value_view_size(const struct value_source *source, const struct value_view *view,
                     uint64_t *size);

/*
 * Copies `bit_size` bits, at most 8 * VALUE_BYTES_MAX, to the low end of `buffer`, and zeroes the
 * rest of the last byte.
 */
struct known_how value_bits(const struct value_source *source, const struct place_of_object *place,
                            uint64_t bit_off, uint64_t bit_size, void *buffer);

/* Reads a little-endian number of at most 8 bytes. */
uint64_t value_word(const uint8_t *bytes, size_t size);

bool value_is_signed(const struct type *type);

/* As value_number. */
struct known_how value_view_number(const struct value_source *source, const struct value_view *view,
                                   uint64_t *number, bool *is_signed);

/* Returns the PIECE_POINTER that a pointer consists of; NULL: another pointer. */
const struct object_piece *value_synthetic(const struct value_view *view);

/* Finds the object that a pointer or reference points to. */
struct known_how value_deref(const struct value_source *source, const struct value_view *view,
                             struct object *out);

/* Finds the address of the object's first byte; false: not in memory, or not at a whole byte. */
bool value_address(const struct value_view *view, uint64_t *addr);

/* Finds a member's offset in the place; a virtual base may lie behind the object. */
struct known_how value_member_off(const struct value_source *source, const struct value_view *view,
                                  const struct type_member *member, uint64_t *bit_off);

/* Finds a member; no memory is `unavailable`, too. */
struct known_how value_member(const struct value_source *source, const struct value_view *view,
                              const struct type_member *member, struct value_view *out);

/*
 * Finds a member by name, of the object, its bases and anonymous members; *is_there: there is one,
 * though it may be unknown.
 */
struct known_how value_find(const struct value_source *source, const struct value_view *view,
                            const char *name, struct value_view *out, bool *is_there);

/* Finds element `index`, counted from 0, of an array; not checked against its count. */
struct known_how value_element(const struct value_source *source, const struct value_view *view,
                               uint64_t index, struct value_view *out);

/*
 * Returns the next piece, *size bytes, of a type's name in gdb's words for integers ("unsigned
 * long", not "long unsigned int"), and moves *name behind it; NULL: no more.
 */
const char *value_name_piece(const char **name, size_t *size);

bool value_is_aggregate(const struct type *type);
bool value_is_rust(const struct type *type);

/* Returns the variant that a Rust enum has; NULL: not known, *known says why. */
const struct type_member *value_variant(const struct value_source *source,
                                        const struct value_view *view, struct known_how *known);

#endif
