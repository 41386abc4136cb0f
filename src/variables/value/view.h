/* SPDX-License-Identifier: MIT */
/*
 * What the files of value/ share: objects whose types are looked up, and their bits.
 */
#ifndef VARIABLES_VALUE_VIEW_H
#define VARIABLES_VALUE_VIEW_H

#include "variables/value/value.h"

/* An object and its stripped type; the place is borrowed. */
struct value_view {
    die_ref ref;             /* as it was named */
    const struct type *type; /* stripped; of void: value_void */
    unsigned dims_passed;
    const struct place_of_object *place;
    uint64_t bit_off, bit_size; /* of a bit-field; 0: all that its type has */
};

extern const struct type value_void;

MUST_CHECK enum status value_view_make(const struct value_source *source, die_ref ref,
                                       const struct place_of_object *place, uint64_t bit_off,
                                       struct value_view *out);
MUST_CHECK enum status value_view_object(const struct value_source *source,
                                         const struct object *object, struct value_view *out);

/* As value_strip, but void is a type, and so is what has no end. Only NO_MEMORY fails. */
MUST_CHECK enum status value_strip_any(const struct value_source *source, die_ref ref,
                                       const struct type **out);

/* Bytes of an object; false: not known, or more than VALUE_BYTES_MAX times 8. */
bool value_size(const struct value_source *source, const struct type *type, unsigned dims_passed,
                uint64_t *size);
bool value_view_size(const struct value_source *source, const struct value_view *view,
                     uint64_t *size);

/* `bit_size` bits, at most VALUE_BYTES_MAX times 8, to the low end of `buffer`. */
struct known_how value_bits(const struct value_source *source, const struct place_of_object *place,
                            uint64_t bit_off, uint64_t bit_size, void *buffer);

/* Little-endian; at most 8 bytes. */
uint64_t value_word(const uint8_t *bytes, size_t size);

bool value_is_signed(const struct type *type);

/* As value_number has it. */
struct known_how value_view_number(const struct value_source *source, const struct value_view *view,
                                   uint64_t *number, bool *is_signed);

/* The piece that a pointer is, where what it points to is nowhere; NULL: it is not such a one. */
const struct object_piece *value_synthetic(const struct value_view *view);

/* What a pointer or reference points to. */
struct known_how value_deref(const struct value_source *source, const struct value_view *view,
                             struct object *out);

/* Where the object is in memory; false: it is elsewhere, or in several places. */
bool value_address(const struct value_view *view, uint64_t *addr);

/* A member's place within the object; of one that a virtual base is it may be behind it. */
struct known_how value_member_off(const struct value_source *source, const struct value_view *view,
                                  const struct type_member *member, uint64_t *bit_off);

/* A member; NO_MEMORY is `unavailable`, too. */
struct known_how value_member(const struct value_source *source, const struct value_view *view,
                              const struct type_member *member, struct value_view *out);

/*
 * A member by its name, of the object, its bases and anonymous members; `*is_there`: it has one, if
 * not one that is known.
 */
struct known_how value_find(const struct value_source *source, const struct value_view *view,
                            const char *name, struct value_view *out, bool *is_there);

/* The index-th element of what has `*stride` bytes each; not checked against the count. */
struct known_how value_element(const struct value_source *source, const struct value_view *view,
                               uint64_t index, struct value_view *out);

/*
 * A type's name in the words that gdb has for integers ("unsigned long", not "long unsigned int"),
 * in pieces: the next one, and *name behind it; NULL: no more.
 */
const char *value_name_piece(const char **name, size_t *size);

bool value_is_aggregate(const struct type *type);
bool value_is_rust(const struct type *type);

/* Which of a Rust enum's variants is there: NULL when that is not known (*known says why). */
const struct type_member *value_variant(const struct value_source *source,
                                        const struct value_view *view, struct known_how *known);

#endif
