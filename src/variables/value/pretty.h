/* SPDX-License-Identifier: MIT */
/*
 * Containers of C++ and Rust, recognised by their type's name, read through their members by name.
 * Libraries differ and memory may be anything: if the members contradict, it is no container.
 */
#ifndef VARIABLES_VALUE_PRETTY_H
#define VARIABLES_VALUE_PRETTY_H

#include "variables/value/telling.h"

#define PRETTY_COUNT_MAX (UINT64_C(1) << 40) /* elements; more is no container */

/* Finds the member at the end of a path of names, closed by NULL. False: not there or not known. */
bool pretty_find(struct telling *telling, const struct value_view *view, const char *const *path,
                 struct value_view *out);
/* The same, and reads the number in it, unwrapped. */
bool pretty_number(struct telling *telling, const struct value_view *view, const char *const *path,
                   uint64_t *number);
/* Goes down first members until a value that is no struct; for wrappers of one value. */
bool pretty_unwrap(struct telling *telling, const struct value_view *view, struct value_view *out);

/* Elements in memory, one behind the other. */
struct pretty_row {
    die_ref element;
    uint64_t addr, count;
};

/*
 * Writes the elements between the two characters of `braces`; or why the first one is not known.
 * False: their size is not known, or there are too many.
 */
bool tell_row(struct telling *telling, const struct pretty_row *row, const char *braces);

/* Is it a container by its name, which must not be NULL? The functions below ask for this first. */
bool is_cxx_container(const struct type *type);
bool is_rust_container(const struct type *type);

/*
 * What an object holds, for a path that goes on behind it: the pointer of an owner (of an Rc or
 * Arc: to the counted block, which holds the value in turn), the array, the value of an optional.
 */
struct pretty_held {
    struct value_view view; /* in the same place as the object */
    bool is_many;           /* points to the first of several elements */
};
bool pretty_held(struct telling *telling, const struct value_view *view, struct pretty_held *out);
/* Finds the elements of a container that keeps them elsewhere and knows how many there are. */
bool pretty_row(struct telling *telling, const struct value_view *view, struct pretty_row *out);
/* Is it a container by name whose members were not all captured? */
bool pretty_not_captured(struct telling *telling, const struct value_view *view);

bool cxx_held(struct telling *telling, const struct value_view *view, struct pretty_held *out);
bool rust_held(struct telling *telling, const struct value_view *view, struct pretty_held *out);
bool cxx_row(struct telling *telling, const struct value_view *view, struct pretty_row *out);
bool rust_row(struct telling *telling, const struct value_view *view, struct pretty_row *out);
bool tell_cxx_container(struct telling *telling, const struct value_view *view);
bool tell_rust_container(struct telling *telling, const struct value_view *view);
/* Writes what the language itself has: &str, &[T]; as gdb does without its pretty printers. */
bool tell_rust_slice(struct telling *telling, const struct value_view *view);

#define PRETTY_PATH(...)                                                                           \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }

#endif
