/* SPDX-License-Identifier: MIT */
/*
 * Objects: bytes with a type, each bit of which is known or unknown for a reason of its own; and
 * their text for a person.
 */
#ifndef VARIABLES_VALUE_VALUE_H
#define VARIABLES_VALUE_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/arch.h"
#include "base/status.h"
#include "variables/model/location.h"
#include "variables/model/scope.h"
#include "variables/model/type.h"

#define VALUE_BYTES_MAX (UINT64_C(1) << 20) /* read of one object at once */

/* Access to types and memory. Arguments come from untrusted data and may be anything. */
struct value_source {
    const struct arch *arch;
    enum status (*type)(void *context, die_ref ref,
                        const struct type **out); /* as debug_info_type */
    struct known_how (*read)(void *context, uint64_t addr, void *buffer, size_t size);
    struct known_how (*reg)(void *context, uint64_t reg, uint64_t *value);
    /*
     * Finds the symbol that holds `addr`, and the offset in it, as gdb prints it behind a pointer
     * (data: variables of the file only). False: none.
     */
    bool (*symbol)(void *context, uint64_t addr, const char **name, uint64_t *off);
    /* Place and type of a variable that is pointed to and is nowhere (PIECE_POINTER). */
    struct known_how (*variable)(void *context, die_ref die, die_ref *type,
                                 struct place_of_object *place);
    /* Computes a bound of an array that is no constant. NULL: never known. */
    struct known_how (*bound)(void *context, const struct type_bound *bound, int64_t *value);
    /* Computes where a part of the object at `addr` is. NULL: never known. */
    struct known_how (*within)(void *context, const struct location *where, uint64_t addr,
                               uint64_t *part_addr);
    /* As demangle of symbol/symbolize.h; NULL: names stay as they are. */
    char *(*demangle)(const char *name);
    void *context;
};

struct object {
    die_ref type;
    struct place_of_object place;
    /* Of a bit-field or a part: offset in the place, and size; bit_size 0: that of the type. */
    uint64_t bit_off, bit_size;
    unsigned dims_passed; /* of an array: outer dimensions already indexed */
};

/*
 * Removes const, volatile, restrict, atomic and typedefs; TYPE_UNKNOWN: without end, or cannot be
 * read. NOT_FOUND: void; NO_MEMORY.
 */
MUST_CHECK enum status value_strip(const struct value_source *source, die_ref ref,
                                   const struct type **out);

/* Reads `size` bytes of the object, little-endian. Not known: the first unknown bit's reason. */
struct known_how value_bytes(const struct value_source *source, const struct object *object,
                             void *buffer, size_t size);

/* Reads an integer, bool, character, enumeration, pointer or reference; sign-extended if signed. */
struct known_how value_number(const struct value_source *source, const struct object *object,
                              uint64_t *number, bool *is_signed);

/* Computes a dimension's number of elements and first index; false: `[]`, or a bound is unknown. */
bool value_count(const struct value_source *source, const struct type_dimension *dimension,
                 uint64_t *count, int64_t *lower);

/* Is the stripped type a signed or unsigned integer, and no bool or character? */
bool value_is_integer(const struct type *type);

/*
 * Goes from an object to a part: "m": a member (also of a base or an anonymous member; through
 * pointers, references and containers), "[3]": an element of an array, pointer or container, "*":
 * what a pointer points to.
 */
struct known_how value_part(const struct value_source *source, const struct object *object,
                            const char *part, struct object *out);

/*
 * Makes a type's name as gdb's whatis prints it: "struct queue *", "int (*)(int)", "char [16]".
 * malloc'ed, the caller's.
 */
MUST_CHECK enum status value_type_name(const struct value_source *source, die_ref ref, char **out);

struct value_style {
    bool raw;              /* members of containers instead of their elements */
    bool null_stop;        /* an array of characters ends at its first NUL */
    unsigned depth_max;    /* nested aggregates; deeper is "{...}" */
    unsigned elements_max; /* of an array, container or string; then "..." */
    unsigned repeats_min;  /* longer runs of equal elements become "<repeats N times>" */
    size_t text_max;       /* bytes; then "..." */
};

/* gdb's defaults. */
#define VALUE_STYLE_DEFAULT                                                                        \
    (struct value_style)                                                                           \
    {                                                                                              \
        .depth_max = 20, .elements_max = 200, .repeats_min = 10, .text_max = 4096                  \
    }

/*
 * Writes the object's value in gdb's notation. Parts that are not known say why in the text
 * (`is_partial`). `text` is NULL when nothing is known: `known` has the first reason. Work is
 * bounded; what is left over becomes "...". Fails with NO_MEMORY only.
 */
struct told_value {
    char *text; /* owned, malloc'ed; bytes as in the program: whoever prints them cleans them */
    struct known_how known;
    bool is_partial;
};
MUST_CHECK enum status value_tell(const struct value_source *source, const struct object *object,
                                  const struct value_style *style, struct told_value *out);

#endif
