/* SPDX-License-Identifier: MIT */
/*
 * Names of functions of C++'s and Rust's libraries: what a program's source calls them, of all that
 * debug information and symbols tell.
 */
#ifndef THREADS_LANGUAGE_NAME_H
#define THREADS_LANGUAGE_NAME_H

#include <stdbool.h>

/*
 * Where the name begins behind the type that a template's name has before it, as in
 * `std::vector<int, x> ns::f<int>(int)`.
 */
const char *language_name_begin(const char *name);

/*
 * Has it a list of arguments, or is it an operator's? What is demangled as a function of C++ has
 * one, what is demangled as one of Rust has none. `name`: from its beginning on.
 */
bool language_name_has_arguments(const char *name);

/* "Trait>::f" of `<T as Trait>::f`; NULL: no such name. `name`: from its beginning on. */
const char *language_name_trait(const char *name);

/*
 * What a program calls such a function, without types, arguments, closures and the namespaces of
 * versions: "std::condition_variable::wait" of
 * `void std::condition_variable::wait<X>(std::unique_lock<std::mutex>&, X)`,
 * "std::sync::mpsc::Receiver::recv" of `<std::sync::mpsc::Receiver<i32>>::recv`. "": it is
 * internal, a part of it begins with an underscore, or it is the system's part of Rust's std.
 * Not cleaned. malloc'ed; NULL: out of memory.
 */
char *language_public_name(const char *name);

#endif
