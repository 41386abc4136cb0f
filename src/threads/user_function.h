/* SPDX-License-Identifier: MIT */
/*
 * Finds the function of a chain that the user would name: the program's innermost. Functions of the
 * kernel, the C library, libraries that start threads, and C++'s and Rust's own (runtime.h) are not
 * the program's.
 */
#ifndef THREADS_USER_FUNCTION_H
#define THREADS_USER_FUNCTION_H

#include <stdint.h>

#include "graph/profile.h"

#define USER_FUNCTION_NONE UINT32_MAX

/*
 * Returns the program's innermost function of a chain, as its number in the profile's names; if the
 * chain has none of the program, the innermost with a name, else the innermost. USER_FUNCTION_NONE:
 * the chain has no frames. `profile` is resolved.
 */
uint32_t user_function_of(const struct profile *profile, uint32_t chain);

#endif
