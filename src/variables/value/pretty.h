/* SPDX-License-Identifier: MIT */
/*
 * What the containers of C++ and Rust are told by: their members, by name, whose values have to
 * fit one another. Libraries differ, and memory may be anything: what does not fit is no container.
 */
#ifndef VARIABLES_VALUE_PRETTY_H
#define VARIABLES_VALUE_PRETTY_H

#include "variables/value/telling.h"

#define PRETTY_COUNT_MAX (UINT64_C(1) << 40) /* elements; more is no container */

/* A known member, through names that follow one another; the last one is NULL. */
bool pretty_find(struct telling *telling, const struct value_view *view, const char *const *path,
                 struct value_view *out);
/* The same, of a number. */
bool pretty_number(struct telling *telling, const struct value_view *view, const char *const *path,
                   uint64_t *number);
/* What is the first member of the first member …, or the view itself: what wraps one value. */
bool pretty_unwrap(struct telling *telling, const struct value_view *view, struct value_view *out);

/* Elements of memory, one behind the other. */
struct pretty_row {
    die_ref element;
    uint64_t addr, count;
};

/* Between braces; where the first one cannot be read, why. False: they are of no known size. */
bool tell_row(struct telling *telling, const struct pretty_row *row, const char *braces);

/* Is it one of the library's, by its name? The others are asked of such only. */
bool is_cxx_container(const struct type *type);
bool is_rust_container(const struct type *type);

/*
 * What a path means that goes on behind a container: the pointer of one that owns (or, of a Rust
 * Rc, to what has the counts, too, which holds in turn), the array, the value of an optional.
 */
struct pretty_held {
    struct value_view view; /* in the same place */
    bool is_many;           /* it points to the first one of several */
};
bool pretty_held(struct telling *telling, const struct value_view *view, struct pretty_held *out);
/* The elements, where they are elsewhere, and it says how many there are. */
bool pretty_row(struct telling *telling, const struct value_view *view, struct pretty_row *out);
/* Of an object that is one by its name: its members are not all captured. */
bool pretty_not_captured(struct telling *telling, const struct value_view *view);

bool cxx_held(struct telling *telling, const struct value_view *view, struct pretty_held *out);
bool rust_held(struct telling *telling, const struct value_view *view, struct pretty_held *out);
bool cxx_row(struct telling *telling, const struct value_view *view, struct pretty_row *out);
bool rust_row(struct telling *telling, const struct value_view *view, struct pretty_row *out);
bool tell_cxx_container(struct telling *telling, const struct value_view *view);
bool tell_rust_container(struct telling *telling, const struct value_view *view);
/* What the language itself has, which gdb tells of it without any help, too: &str, &[T]. */
bool tell_rust_slice(struct telling *telling, const struct value_view *view);

#define PRETTY_PATH(...)                                                                           \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }

#endif
