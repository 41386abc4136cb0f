/* SPDX-License-Identifier: MIT */
#include "variables/dwarf/reader/libdwarf_calls.h"

#include <pthread.h>

#include "base/library.h"

static struct libdwarf_calls calls;
static char problem[LIBRARY_PROBLEM_MAX]; /* "": libdwarf is loaded */

static void load(void)
{
    static const struct library_function wanted[] = {
#define LIBDWARF_WANTED(name) LIBRARY_FUNCTION(calls.name, dwarf_##name),
        LIBDWARF_CALLS(LIBDWARF_WANTED)
#undef LIBDWARF_WANTED
    };

    /* `problem` says whether this worked. */
    (void)!library_load(CG_DWARF_SONAME, wanted, sizeof(wanted) / sizeof(wanted[0]), problem);
}

const struct libdwarf_calls *libdwarf_calls(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, load);
    return problem[0] ? NULL : &calls;
}

const char *libdwarf_problem(void)
{
    return problem[0] ? problem : NULL;
}
