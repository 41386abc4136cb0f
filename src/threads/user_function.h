/* SPDX-License-Identifier: MIT */
/*
 * Which function of a chain the user would name: the innermost one that belongs to the program. Not
 * to the C library, which is the way into the kernel; to a library that starts threads; or to the
 * language, whose templates are compiled into the program.
 */
#ifndef THREADS_USER_FUNCTION_H
#define THREADS_USER_FUNCTION_H

#include <stdint.h>

#include "graph/profile.h"

#define USER_FUNCTION_NONE UINT32_MAX

/*
 * For names_function; where none is the program's the innermost that has a name; else the
 * innermost. NONE: the chain has no frames. `profile` is resolved.
 */
uint32_t user_function_of(const struct profile *profile, uint32_t chain);

#endif
