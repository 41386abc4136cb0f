/* SPDX-License-Identifier: MIT */
/*
 * Reads objects and writes their values for a person. An object is bytes with a type, each bit of
 * which is known or unknown for a reason of its own.
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

/* at most so many bytes of an object are read at once */
#define VALUE_BYTES_MAX (UINT64_C(1) << 20)

/*
 * The access to types, memory and registers; `context` is given to each function. The functions'
 * arguments come from untrusted data and may be anything. Functions that return struct known_how
 * set their result only if it is KNOWN.
 */
struct value_source {
    const struct arch *arch;
    enum status (*type)(void *context, die_ref ref,
                        const struct type **out); /* as debug_info_type */
    struct known_how (*read)(void *context, uint64_t addr, void *buffer, size_t size);
    struct known_how (*reg)(void *context, uint64_t reg, uint64_t *value);
    /*
     * Sets *name to the symbol that holds `addr`, which gdb would print behind a pointer (of data:
     * only variables of the file), and *off to the offset of `addr` in it. False: there is none.
     * NULL: there never is.
     */
    bool (*symbol)(void *context, uint64_t addr, const char **name, uint64_t *off);
    /*
     * Sets *type and *place to those of the variable `die`, to which a PIECE_POINTER points and
     * which is in no memory.
     */
    struct known_how (*variable)(void *context, die_ref die, die_ref *type,
                                 struct place_of_object *place);
    /*
     * Computes a bound of an array that is no constant. If this function is NULL, such a bound is
     * unknown.
     */
    struct known_how (*bound)(void *context, const struct type_bound *bound, int64_t *value);
    /*
     * Computes with `where` the address of a part of the object at `addr`. If this function is
     * NULL, such a part is unknown.
     */
    struct known_how (*within)(void *context, const struct location *where, uint64_t addr,
                               uint64_t *part_addr);
    /* Works as demangle of symbol/symbolize.h. If this function is NULL, names stay mangled. */
    char *(*demangle)(const char *name);
    void *context;
};

struct object {
    die_ref type;
    struct place_of_object place;
    /* the object's bits in the place: the first one, and how many; bit_size 0: those of the type */
    uint64_t bit_off, bit_size;
    /* of an array's type: number of outer dimensions that are indexed already */
    unsigned dims_passed;
};

/*
 * Sets *out to the type without const, volatile, restrict, atomic and typedefs around it; to one of
 * the kind TYPE_UNKNOWN if it cannot be read or these have no end. NOT_FOUND: it is void. Else
 * fails with NO_MEMORY only.
 */
MUST_CHECK enum status value_strip(const struct value_source *source, die_ref ref,
                                   const struct type **out);

/*
 * Reads the object's first `size` bytes, little-endian; bits beyond the object's bit_size are 0. If
 * bits are not known, returns why the first one is not; also fails for more than VALUE_BYTES_MAX.
 */
struct known_how value_bytes(const struct value_source *source, const struct object *object,
                             void *buffer, size_t size);

/*
 * Reads an integer, bool, character, enumeration, pointer or reference of at most 8 bytes,
 * sign-extended if it is signed. Returns why that cannot be done, also for other types.
 */
struct known_how value_number(const struct value_source *source, const struct object *object,
                              uint64_t *number, bool *is_signed);

/*
 * Sets *count to the dimension's number of elements, and *lower to its first index. False: it has
 * no number (`[]`), or a bound is unknown; the two are undefined.
 */
bool value_count(const struct value_source *source, const struct type_dimension *dimension,
                 uint64_t *count, int64_t *lower);

/*
 * True: the type, which is stripped (value_strip), is a signed or unsigned integer, and no bool,
 * character or enumeration.
 */
bool value_is_integer(const struct type *type);

/*
 * Sets *out to a part of the object: "m": its member m (also of a base or an anonymous member;
 * through pointers, references and containers), "[3]": an element of the array, pointer or
 * container, "*": the target of the pointer. Returns why the part cannot be found, if so.
 */
struct known_how value_part(const struct value_source *source, const struct object *object,
                            const char *part, struct object *out);

/*
 * Sets *out to the type's name as gdb's whatis prints it: "struct queue *", "int (*)(int)",
 * "char [16]"; malloc'ed, the caller frees it. Fails with NO_MEMORY only.
 */
MUST_CHECK enum status value_type_name(const struct value_source *source, die_ref ref, char **out);

struct value_style {
    bool raw;           /* containers are written as their members, not as their elements */
    bool null_stop;     /* an array of characters ends at its first NUL */
    unsigned depth_max; /* aggregates in one another; deeper ones become "{...}" */
    /* elements written of an array, container or string; further ones become "..." */
    unsigned elements_max;
    unsigned repeats_min; /* longer runs of equal elements become "<repeats N times>" */
    size_t text_max;      /* bytes of the text; the rest becomes "..." */
};

/* gdb's defaults, and a bound for the text. */
#define VALUE_STYLE_DEFAULT                                                                        \
    (struct value_style)                                                                           \
    {                                                                                              \
        .depth_max = 20, .elements_max = 200, .repeats_min = 10, .text_max = 4096                  \
    }

/*
 * Writes the object's value in gdb's notation. Where a part is not known, the text has the reason,
 * and is_partial is set. When nothing is known, `text` is NULL, and `known` is the first reason.
 * Work is bounded; the parts left over become "...". Fails with NO_MEMORY only.
 */
struct told_value {
    /*
     * malloc'ed, the caller frees it; may have any bytes that the program has, so clean it before
     * printing
     */
    char *text;
    struct known_how known;
    bool is_partial;
};
MUST_CHECK enum status value_tell(const struct value_source *source, const struct object *object,
                                  const struct value_style *style, struct told_value *out);

#endif
