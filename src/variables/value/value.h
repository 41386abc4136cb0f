/* SPDX-License-Identifier: MIT */
/*
 * Objects: bytes with a type, each bit of which is known or not, for a reason of its own; and what
 * they say to a person.
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

#define VALUE_BYTES_MAX (UINT64_C(1) << 20) /* read of one object; the rest is not looked at */

/* Where types and memory come from. All are asked of untrusted data: answers may be anything. */
struct value_source {
    const struct arch *arch;
    enum status (*type)(void *context, die_ref ref,
                        const struct type **out); /* as debug_info_type */
    struct known_how (*read)(void *context, uint64_t addr, void *buffer, size_t size);
    struct known_how (*reg)(void *context, uint64_t reg, uint64_t *value);
    /*
     * The symbol that holds `addr`, and how far into it that is: as gdb prints it behind a pointer
     * (of data: variables of the file only). False: there is none.
     */
    bool (*symbol)(void *context, uint64_t addr, const char **name, uint64_t *off);
    /* The place and type of a variable that is pointed to, and is nowhere (PIECE_POINTER). */
    struct known_how (*variable)(void *context, die_ref die, die_ref *type,
                                 struct place_of_object *place);
    /* What a bound of an array's index is, which is no constant. NULL: it is not known. */
    struct known_how (*bound)(void *context, const struct type_bound *bound, int64_t *value);
    /* Where a part of the object at `addr` is. NULL: it is not known. */
    struct known_how (*within)(void *context, const struct location *where, uint64_t addr,
                               uint64_t *part_addr);
    /* As demangle of symbol/symbolize.h; NULL: names are told as they are. */
    char *(*demangle)(const char *name);
    void *context;
};

struct object {
    die_ref type;
    struct place_of_object place;
    /* Of a bit-field or a part: where it begins in the place, and its size. */
    uint64_t bit_off, bit_size; /* bit_size 0: all that its type has */
    unsigned dims_passed; /* of an array: it is an element of so many of the outer dimensions */
};

/*
 * Without const, volatile, restrict, atomic, typedefs; TYPE_UNKNOWN where that does not end or
 * cannot be read. NOT_FOUND: it is void; NO_MEMORY.
 */
MUST_CHECK enum status value_strip(const struct value_source *source, die_ref ref,
                                   const struct type **out);

/*
 * The bytes of the object, `size` of them, little-endian: known when all of them are, else for the
 * reason of the first that is not.
 */
struct known_how value_bytes(const struct value_source *source, const struct object *object,
                             void *buffer, size_t size);

/* Of an integer, bool, character, enumeration, pointer or reference: sign-extended where signed. */
struct known_how value_number(const struct value_source *source, const struct object *object,
                              uint64_t *number, bool *is_signed);

/*
 * How many elements a dimension has, and the first one's index; false: `[]`, or what says it is not
 * known.
 */
bool value_count(const struct value_source *source, const struct type_dimension *dimension,
                 uint64_t *count, int64_t *lower);

/* Is it an integer, of any sign, and no bool or character? Of a stripped type. */
bool value_is_integer(const struct type *type);

/*
 * From an object to a part of it: "m" of a struct, union, class (of a base or an anonymous member,
 * too; through pointers and references as well), "[3]" of an array or pointer, "*" of a pointer.
 */
struct known_how value_part(const struct value_source *source, const struct object *object,
                            const char *part, struct object *out);

/* "struct queue *", "int (*)(int)", "char [16]": as whatis of gdb has it. malloc'ed. */
MUST_CHECK enum status value_type_name(const struct value_source *source, die_ref ref, char **out);

struct value_style {
    bool raw;              /* members as they are, and not what libraries' containers hold */
    bool null_stop;        /* of an array of characters nothing behind the first NUL is told */
    unsigned depth_max;    /* of aggregates in one another; deeper is "{...}" */
    unsigned elements_max; /* of an array, a container, characters of a string; then "..." */
    unsigned repeats_min;  /* more equal elements than these are told as "<repeats N times>" */
    size_t text_max;       /* bytes; what is beyond is cut, with "..." */
};

/* gdb's defaults. */
#define VALUE_STYLE_DEFAULT                                                                        \
    (struct value_style)                                                                           \
    {                                                                                              \
        .depth_max = 20, .elements_max = 200, .repeats_min = 10, .text_max = 4096                  \
    }

/*
 * The object's value in gdb's notation, malloc'ed; NULL where nothing of it is known, and then the
 * result says why (of several reasons the first one). `is_partial`: parts of it are not known, and
 * the text says which and why. Work is bounded; what was not got to is "...". Only NO_MEMORY fails.
 */
struct told_value {
    char *text; /* UTF-8 as in the program: to be cleaned by who prints it; owned */
    struct known_how known;
    bool is_partial;
};
MUST_CHECK enum status value_tell(const struct value_source *source, const struct object *object,
                                  const struct value_style *style, struct told_value *out);

#endif
