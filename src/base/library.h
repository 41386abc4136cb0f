/* SPDX-License-Identifier: MIT */
/*
 * Functions of a library that is loaded when one of them is first needed. A static program cannot
 * load any: there (CG_LINKED) they are linked in, and loading finds them so.
 *
 *     static const struct library_function wanted[] = {
 *         LIBRARY_FUNCTION(calls.open, cs_open),   // calls.open: a pointer to such a function
 *         …
 *     };
 *     status = library_load(CG_CAPSTONE_SONAME, wanted, sizeof(wanted) / sizeof(*wanted), problem);
 *
 * Decisions 16 and 52.
 */
#ifndef BASE_LIBRARY_H
#define BASE_LIBRARY_H

#include <stddef.h>

#include "base/status.h"

#define LIBRARY_PROBLEM_MAX 256

struct library_function {
    void *slot; /* the pointer to it, which is filled */
    const char *name;
    void *linked; /* NULL: to be loaded */
};

/* The name under which the library at hand has it: headers may define a newer one by that. */
#define LIBRARY_TEXT(name) #name
#define LIBRARY_NAME(name) LIBRARY_TEXT(name)

#ifdef CG_LINKED
#define LIBRARY_FUNCTION(slot, function)                                                           \
    {                                                                                              \
        &(slot), LIBRARY_NAME(function), (void *)(function)                                        \
    }
#else
#define LIBRARY_FUNCTION(slot, function)                                                           \
    {                                                                                              \
        &(slot), LIBRARY_NAME(function), NULL                                                      \
    }
#endif

/* IO: there is none, or it cannot be read. UNSUPPORTED: it lacks a function. `problem` says why. */
MUST_CHECK enum status library_load(const char *soname, const struct library_function *functions,
                                    size_t count, char problem[LIBRARY_PROBLEM_MAX]);

#endif
