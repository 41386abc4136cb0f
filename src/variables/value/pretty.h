/* SPDX-License-Identifier: MIT */
/*
 * Writes containers of the libraries of C++ and Rust. They are recognised by their type's name, and
 * their members are found by name. Libraries differ and memory may be anything: an object whose
 * members contradict each other is no container.
 */
#ifndef VARIABLES_VALUE_PRETTY_H
#define VARIABLES_VALUE_PRETTY_H

#include "variables/value/telling.h"

/* elements; an object that claims to have more is no container */
#define PRETTY_COUNT_MAX (UINT64_C(1) << 40)

/*
 * Goes from the view from member to member by the names of `path`, which ends with NULL, and sets
 * *out to the last one. False: a member is not there, is not known, or the work is used up.
 */
bool pretty_find(struct telling *telling, const struct value_view *view, const char *const *path,
                 struct value_view *out);
/*
 * Reads the number in the member that pretty_find finds, unwrapped (pretty_unwrap). False: it is
 * not found, no number, or not known.
 */
bool pretty_number(struct telling *telling, const struct value_view *view, const char *const *path,
                   uint64_t *number);
/*
 * Goes from a wrapper of one value to that value: to the first member, its first member, and so on,
 * until one is no struct or union. False: there is none within 8 steps, or it is not known.
 */
bool pretty_unwrap(struct telling *telling, const struct value_view *view, struct value_view *out);

/*
 * Elements of one type in memory, one behind the other: `count` from address `addr` on; `element`
 * is the type of each.
 */
struct pretty_row {
    die_ref element;
    uint64_t addr, count;
};

/*
 * Writes the elements between the two characters of `braces`; or, if the first one is not known,
 * why. False: nothing is written, since their size is not known or they are more than
 * PRETTY_COUNT_MAX.
 */
bool tell_row(struct telling *telling, const struct pretty_row *row, const char *braces);

/*
 * True: the type's name, which must not be NULL, is that of a container. The functions below
 * without a language in their name check this; those with cxx or rust in their name expect it.
 */
bool is_cxx_container(const struct type *type);
bool is_rust_container(const struct type *type);

/*
 * The object inside of a container with which a path such as "p->x" goes on: the pointer of an
 * owner such as unique_ptr (of an Rc or Arc: to the counted block, which holds the value in turn),
 * the array of a std::array, the value of an optional.
 */
struct pretty_held {
    struct value_view view; /* the inner object; its place is that of the container */
    bool is_many;           /* the inner object is a pointer to the first of several elements */
};
bool pretty_held(struct telling *telling, const struct value_view *view, struct pretty_held *out);
/*
 * Sets *out to the elements of a container that keeps them elsewhere and knows how many there are.
 * False: it is no such container, or its members are not known.
 */
bool pretty_row(struct telling *telling, const struct value_view *view, struct pretty_row *out);
/*
 * True: the object's type has the name of a container, the object has at most 256 bytes, and they
 * were not all captured.
 */
bool pretty_not_captured(struct telling *telling, const struct value_view *view);

bool cxx_held(struct telling *telling, const struct value_view *view, struct pretty_held *out);
bool rust_held(struct telling *telling, const struct value_view *view, struct pretty_held *out);
bool cxx_row(struct telling *telling, const struct value_view *view, struct pretty_row *out);
bool rust_row(struct telling *telling, const struct value_view *view, struct pretty_row *out);
bool tell_cxx_container(struct telling *telling, const struct value_view *view);
bool tell_rust_container(struct telling *telling, const struct value_view *view);
/*
 * Writes a &str, &[T] or &mut [T], which are Rust's own and no library's, as gdb does without its
 * pretty printers. False: the object is none of these, or its members do not fit.
 */
bool tell_rust_slice(struct telling *telling, const struct value_view *view);

#define PRETTY_PATH(...)                                                                           \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }

#endif
