/* SPDX-License-Identifier: MIT */
#include "variables/dwarf/reader/libdwarf_calls.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

#define SYMBOL_TEXT(symbol) #symbol
#define SYMBOL(symbol)      SYMBOL_TEXT(symbol) /* under the name that this release has */

static struct libdwarf_calls calls;
static char problem[256]; /* "" when libdwarf is there */

static void load(void)
{
    static const struct {
        const char *name;
        void *slot; /* a pointer to a function */
    } wanted[] = {
#define LIBDWARF_WANTED(name) {SYMBOL(dwarf_##name), &calls.name},
        LIBDWARF_CALLS(LIBDWARF_WANTED)
#undef LIBDWARF_WANTED
    };
    void *library = dlopen(CG_DWARF_SONAME, RTLD_NOW | RTLD_LOCAL);
    bool whole = library;
    const char *why;

    for (size_t i = 0; whole && i < sizeof(wanted) / sizeof(wanted[0]); i++)
        whole = (*(void **)wanted[i].slot = dlsym(library, wanted[i].name)) != NULL;
    if (whole)
        return;
    why = dlerror();
    snprintf(problem, sizeof(problem), "%s", why ? why : "out of memory");
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
