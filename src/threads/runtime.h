/* SPDX-License-Identifier: MIT */
/*
 * Which frames of a chain are the C library's or a language's own, around what the program itself
 * does when it makes a thread, and when a thread begins.
 */
#ifndef THREADS_RUNTIME_H
#define THREADS_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>

#include "graph/names.h"
#include "symbol/module.h"

/* The C library, libpthread or the loader, whichever libc it is; by its file's name. */
bool runtime_is_c_library(const struct module *module);

/* A library that starts threads for others: libstdc++, GLib, libgomp …; by its file's name. */
bool runtime_is_thread_library(const struct module *module);

/*
 * Of those the ones whose threads begin with one frame of theirs that calls what they were given,
 * and does nothing else.
 */
bool runtime_has_trampoline(const struct module *module);

/* libstdc++, libc++, Rust's std: a language's own library; by its file's name. */
bool runtime_is_language_library(const struct module *module);

/* Functions of the C library, which are part of the program where that is linked statically. */
bool runtime_is_c_function(const char *name);

/*
 * With which every program and thread begins, before a function of its own: _start, start_thread
 * and the like. The name is the first `length` bytes; `path`: the module's, as some of these names
 * are a program's as well.
 */
bool runtime_is_start(const char *name, size_t length, const char *path);

/*
 * What C++ and Rust put between the thread's start, or the call that makes one, and the program:
 * their own libraries' functions, by name or, as inlined ones have short names, by source file.
 * `file` that the function is in, NULL where it is not known: tells Rust's crates from namespaces.
 */
bool runtime_is_language_function(const char *name, const char *file);
bool runtime_is_language_file(const char *path);

/*
 * Of such functions those with which threads begin that have any function of a type to call: C++'s
 * of a pointer to a function, or a std::function, and Rust's. A closure in C++ has its own.
 */
bool runtime_is_shared_start(const char *name);

#endif
