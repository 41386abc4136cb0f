/* SPDX-License-Identifier: MIT */
/*
 * The function of a chain that the user would name: the innermost one of the program. Functions of
 * the kernel, the C library, libraries that start threads, and C++'s and Rust's own (runtime.h) are
 * not the program's.
 */
#ifndef THREADS_USER_FUNCTION_H
#define THREADS_USER_FUNCTION_H

#include <stdint.h>

#include "graph/profile.h"

#define USER_FUNCTION_NONE UINT32_MAX

/*
 * Returns the number of that function in the profile's names; if the chain has none, of the
 * innermost function with a name, else of the innermost one. USER_FUNCTION_NONE: the chain has no
 * frames. `profile` is resolved.
 */
uint32_t user_function_of(const struct profile *profile, uint32_t chain);

#endif
