/* SPDX-License-Identifier: MIT */
/*
 * Finds parts, sizes and bits of objects whose types are looked up; shared by the files of value/.
 */
#ifndef VARIABLES_VALUE_VIEW_H
#define VARIABLES_VALUE_VIEW_H

#include "variables/value/value.h"

/* An object: bits of a place, and its type by value_strip_any; the place is borrowed. */
struct value_view {
    die_ref ref;             /* the type before it was stripped */
    const struct type *type; /* `ref` stripped (value_strip_any); for void: value_void */
    unsigned dims_passed;
    const struct place_of_object *place;
    uint64_t bit_off, bit_size; /* bits of the object in the place, as in struct object */
};

extern const struct type value_void;

/* Makes a view and strips its type. Fails with NO_MEMORY only. */
MUST_CHECK enum status value_view_make(const struct value_source *source, die_ref ref,
                                       const struct place_of_object *place, uint64_t bit_off,
                                       struct value_view *out);
MUST_CHECK enum status value_view_object(const struct value_source *source,
                                         const struct object *object, struct value_view *out);

/*
 * Strips a type as value_strip does, but sets *out to value_void for void. Fails with NO_MEMORY
 * only.
 */
MUST_CHECK enum status value_strip_any(const struct value_source *source, die_ref ref,
                                       const struct type **out);

/*
 * Sets *size to the bytes of an object of this stripped type, of which `dims_passed` outer
 * dimensions are indexed. False: the size is not known, or more than 2^48; *size is undefined.
 */
bool value_size(const struct value_source *source, const struct type *type, unsigned dims_passed,
                uint64_t *size);
bool value_view_size(const struct value_source *source, const struct value_view *view,
                     uint64_t *size);

/*
 * Copies `bit_size` bits of the place from `bit_off` on to the buffer, from the lowest bit of its
 * first byte on, and zeroes the rest of the last byte. If a bit is not known, or bit_size is above
 * 8 * VALUE_BYTES_MAX, returns why, and the buffer is undefined.
 */
struct known_how value_bits(const struct value_source *source, const struct place_of_object *place,
                            uint64_t bit_off, uint64_t bit_size, void *buffer);

/* Returns the little-endian number that `size` bytes, at most 8, are. */
uint64_t value_word(const uint8_t *bytes, size_t size);

bool value_is_signed(const struct type *type);

/* Reads the number at the view as value_number does. */
struct known_how value_view_number(const struct value_source *source, const struct value_view *view,
                                   uint64_t *number, bool *is_signed);

/*
 * Returns the piece of the kind PIECE_POINTER that a pointer consists of; NULL: the pointer has
 * bits as usual.
 */
const struct object_piece *value_synthetic(const struct value_view *view);

/*
 * Sets *out to the object to which a pointer or reference points; returns why that is not possible,
 * if so. The object's own bits need not be known.
 */
struct known_how value_deref(const struct value_source *source, const struct value_view *view,
                             struct object *out);

/*
 * Sets *addr to the address of the object's first byte. False: the object is not in memory, or does
 * not begin at a whole byte.
 */
bool value_address(const struct value_view *view, uint64_t *addr);

/*
 * Sets *bit_off to the member's offset in the view's place, in bits; a virtual base may lie behind
 * the object. Returns why that is not possible, if so.
 */
struct known_how value_member_off(const struct value_source *source, const struct value_view *view,
                                  const struct type_member *member, uint64_t *bit_off);

/*
 * Sets *out to a view of the member; returns why that is not possible, if so: also no memory, as
 * `unavailable`.
 */
struct known_how value_member(const struct value_source *source, const struct value_view *view,
                              const struct type_member *member, struct value_view *out);

/*
 * Sets *out to a view of the member of this name, of the object, of its bases or of its anonymous
 * members; returns why that is not possible, if so. *is_there: the type has that member, even if
 * its place is unknown.
 */
struct known_how value_find(const struct value_source *source, const struct value_view *view,
                            const char *name, struct value_view *out, bool *is_there);

/*
 * Sets *out to a view of element `index`, counted from 0, of the array's outermost dimension that
 * is not indexed yet; `index` is not checked against the number of elements. Returns why that is
 * not possible, if so.
 */
struct known_how value_element(const struct value_source *source, const struct value_view *view,
                               uint64_t index, struct value_view *out);

/*
 * Returns the next piece, *size bytes, of a type's name in gdb's words for integers ("unsigned
 * long", not "long unsigned int"), and moves *name behind it; NULL: no more.
 */
const char *value_name_piece(const char **name, size_t *size);

bool value_is_aggregate(const struct type *type);
bool value_is_rust(const struct type *type);

/*
 * Returns the member that is the present variant of a Rust enum. NULL: *known says why it is not
 * known; if *known is KNOWN, the type has no variants.
 */
const struct type_member *value_variant(const struct value_source *source,
                                        const struct value_view *view, struct known_how *known);

#endif
