/* SPDX-License-Identifier: MIT */
/*
 * Tells frames of the C library and of languages from the program's own, where the program makes a
 * thread and where a thread begins. Modules are told by the file's name, functions by theirs.
 */
#ifndef THREADS_RUNTIME_H
#define THREADS_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>

#include "graph/names.h"
#include "symbol/module.h"

/* Whether a module (NULL: no) is the C library, libpthread or loader of any libc, or the vDSO. */
bool runtime_is_c_library(const struct module *module);

/* Whether a module (NULL: no) starts threads for others: libstdc++, libc++, GLib, libgomp ... */
bool runtime_is_thread_library(const struct module *module);

/*
 * Whether it is such a library whose threads begin with one frame of its own, which does nothing
 * but call the function that it was given: libstdc++, GLib.
 */
bool runtime_has_trampoline(const struct module *module);

/* Whether a module (NULL: no) is a language's own library: libstdc++, libc++, Rust's std. */
bool runtime_is_language_library(const struct module *module);

/*
 * Whether a name is a function of the C library that makes or begins threads and processes; for
 * programs that the C library is linked into statically.
 */
bool runtime_is_c_function(const char *name);

/*
 * Whether programs and threads begin with this function, before one of their own: _start,
 * start_thread. The name is the first `length` bytes; `path` is the module's: names that programs
 * use as well count in a C library only.
 */
bool runtime_is_start(const char *name, size_t length, const char *path);

/*
 * Whether a function is C++'s or Rust's own: by its name, or, as inlined functions have short
 * names, by its source file. `file` is the function's, NULL: not known; it tells Rust's crates from
 * C++ namespaces of these names.
 */
bool runtime_is_language_function(const char *name, const char *file);
bool runtime_is_language_file(const char *path);

/*
 * Whether it is a language's function that begins threads of different start routines: C++'s that
 * calls a pointer to a function, a std::function or a std::packaged_task, and Rust's thread_start.
 * For a closure C++ has a function of its own.
 */
bool runtime_is_shared_start(const char *name);

#endif
