/* SPDX-License-Identifier: MIT */
/*
 * Loads a shared library when a function of it is first needed, and looks its functions up. In
 * static programs (CG_LINKED) the functions are linked in, and library_load only fills the
 * pointers.
 *
 *     static const struct library_function wanted[] = {
 *         LIBRARY_FUNCTION(calls.open, cs_open),   // calls.open: a pointer to such a function
 *         ...
 *     };
 *     status = library_load(CG_CAPSTONE_SONAME, wanted, sizeof(wanted) / sizeof(*wanted), problem);
 *
 * The reasons are in docs/decisions/0016-*.md and 0052-*.md.
 */
#ifndef BASE_LIBRARY_H
#define BASE_LIBRARY_H

#include <stddef.h>

#include "base/status.h"

#define LIBRARY_PROBLEM_MAX 256

struct library_function {
    void *slot;       /* address of the function pointer that library_load sets */
    const char *name; /* the function's name in the library */
    void *linked;     /* the function, in static programs; else NULL */
};

/*
 * Makes the function's name a string after macros were expanded: headers may #define the name as
 * that of a newer version.
 */
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

/*
 * Loads the library `soname` for the life of the process, and fills the slots of all `count`
 * functions. IO: the library is not there, or cannot be loaded. UNSUPPORTED: it lacks a function.
 * After a failure `problem` says why.
 */
MUST_CHECK enum status library_load(const char *soname, const struct library_function *functions,
                                    size_t count, char problem[LIBRARY_PROBLEM_MAX]);

#endif
