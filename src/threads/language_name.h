/* SPDX-License-Identifier: MIT */
/*
 * Takes apart demangled names of functions of C++'s and Rust's libraries, and makes from them the
 * names that a program's source uses.
 */
#ifndef THREADS_LANGUAGE_NAME_H
#define THREADS_LANGUAGE_NAME_H

#include <stdbool.h>

/*
 * Returns the part of `name` from the function's own name on, after the return type that a
 * template's name has: "ns::f<int>(int)" of `std::vector<int, x> ns::f<int>(int)`. Points into
 * `name`.
 */
const char *language_name_begin(const char *name);

/*
 * Whether a demangled name has a list of arguments, or is an operator's: C++ functions have one,
 * Rust functions have none. `name`: as language_name_begin returns it.
 */
bool language_name_has_arguments(const char *name);

/*
 * Returns the part "Trait>::f" of a name `<T as Trait>::f`; NULL: the name has another form. Points
 * into `name`, which is as language_name_begin returns it.
 */
const char *language_name_trait(const char *name);

/*
 * Returns the name without types, arguments, closures and namespaces of versions (`__cxx11`):
 *
 *     void std::condition_variable::wait<X>(std::unique_lock<std::mutex>&, X)
 *     std::condition_variable::wait
 *     <std::sync::mpsc::Receiver<i32>>::recv
 *     std::sync::mpsc::Receiver::recv
 *
 * "": the function is internal: a part of the name begins with an underscore, or is `sys` or
 * `sys_common` as in Rust's std. May have control characters, as `name`. malloc'ed, the caller
 * frees it; NULL: out of memory.
 */
char *language_public_name(const char *name);

#endif
