/* SPDX-License-Identifier: MIT */
#include "base/library.h"

#include <stdio.h>

#ifdef CG_LINKED

enum status library_load(const char *soname, const struct library_function *functions, size_t count,
                         char problem[LIBRARY_PROBLEM_MAX])
{
    (void)soname;
    (void)problem;
    for (size_t i = 0; i < count; i++)
        *(void **)functions[i].slot = functions[i].linked;
    return STATUS_OK;
}

#else

#include <dlfcn.h>

enum status library_load(const char *soname, const struct library_function *functions, size_t count,
                         char problem[LIBRARY_PROBLEM_MAX])
{
    void *library = dlopen(soname, RTLD_NOW | RTLD_LOCAL);
    enum status status = library ? STATUS_OK : STATUS_IO;
    const char *why;

    for (size_t i = 0; status == STATUS_OK && i < count; i++)
        if (!(*(void **)functions[i].slot = dlsym(library, functions[i].name)))
            status = STATUS_UNSUPPORTED;
    why = status == STATUS_OK ? "" : dlerror();
    snprintf(problem, LIBRARY_PROBLEM_MAX, "%s", why ? why : "out of memory");
    return status;
}

#endif
