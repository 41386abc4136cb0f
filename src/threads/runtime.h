/* SPDX-License-Identifier: MIT */
/*
 * Tells frames of the C library and of languages' libraries from the program's own, in chains that
 * create threads and where threads begin. Modules are recognized by their file's name, functions by
 * their own.
 */
#ifndef THREADS_RUNTIME_H
#define THREADS_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>

#include "graph/names.h"
#include "symbol/module.h"

/* Whether a module is the C library, libpthread or loader of any libc, or the vDSO; NULL: false. */
bool runtime_is_c_library(const struct module *module);

/*
 * Whether a module is a library that starts threads for others: libstdc++, libc++, GLib, libgomp
 * ...; NULL: false.
 */
bool runtime_is_thread_library(const struct module *module);

/*
 * Whether a module is libstdc++ or GLib: the threads that they start begin with one frame of the
 * library's own, which only calls the function that it was given. NULL: false.
 */
bool runtime_has_trampoline(const struct module *module);

/* Whether a module is a language's own library: libstdc++, libc++, Rust's std; NULL: false. */
bool runtime_is_language_library(const struct module *module);

/*
 * Whether the C library has a function of this name that creates or begins threads or processes;
 * for programs with a C library that is linked in statically.
 */
bool runtime_is_c_function(const char *name);

/*
 * Whether programs or threads begin with the C library's function of this name, such as _start or
 * start_thread. The name is the first `length` bytes of `name`. `path` is the module's: names that
 * programs use for other functions, too, count in a C library only.
 */
bool runtime_is_start(const char *name, size_t length, const char *path);

/*
 * runtime_is_language_function: whether a demangled name is of C++'s or Rust's own library; `file`
 * (NULL: not known) is the function's source file, and tells Rust's crates from C++ namespaces of
 * the same names. runtime_is_language_file: whether `path` is a source file of these libraries; for
 * inlined functions, whose names are short.
 */
bool runtime_is_language_function(const char *name, const char *file);
bool runtime_is_language_file(const char *path);

/*
 * Whether a name is that of a language's function that threads with different start routines begin
 * with: C++'s that calls a pointer to a function, a std::function or a std::packaged_task, and
 * Rust's thread_start. False for C++'s function that calls a closure: each closure has its own.
 */
bool runtime_is_shared_start(const char *name);

#endif
