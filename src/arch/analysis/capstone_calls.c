/* SPDX-License-Identifier: MIT */
#include "arch/analysis/capstone_calls.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "arch/analysis/capstone_memory.h"
#include "base/shortage.h"

static struct capstone_calls calls;
static char problem[256]; /* "" when Capstone is there */
static atomic_bool tried;

/* That it is not installed is an ordinary case; that it cannot be read is none. */
static void note_problem(bool not_loaded)
{
    const char *why = dlerror();

    snprintf(problem, sizeof(problem), "%s", why ? why : "out of memory");
    if (not_loaded && !strstr(problem, strerror(ENOENT)))
        shortage_note(CG_CAPSTONE_SONAME, strstr(problem, strerror(EMFILE))   ? EMFILE
                                          : strstr(problem, strerror(EACCES)) ? EACCES
                                          : strstr(problem, strerror(EIO))    ? EIO
                                                                              : ENOMEM);
}

static void load(void)
{
    static const struct {
        const char *name;
        void *slot; /* a pointer to a function */
    } wanted[] = {
        {"cs_open", &calls.open},
        {"cs_close", &calls.close},
        {"cs_option", &calls.option},
        {"cs_malloc", &calls.malloc},
        {"cs_free", &calls.free},
        {"cs_disasm_iter", &calls.disasm_iter},
        {"cs_regs_access", &calls.regs_access},
    };
    void *library = dlopen(CG_CAPSTONE_SONAME, RTLD_NOW | RTLD_LOCAL);
    bool whole = library;

    for (size_t i = 0; whole && i < sizeof(wanted) / sizeof(wanted[0]); i++)
        whole = (*(void **)wanted[i].slot = dlsym(library, wanted[i].name)) != NULL;
    if (whole)
        /* Without one, for all handles: must come before the first. */
        calls.option(0, CS_OPT_MEM, (size_t)(uintptr_t)capstone_memory());
    else
        note_problem(library == NULL);
    tried = true;
}

const struct capstone_calls *capstone_calls(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, load);
    return problem[0] ? NULL : &calls;
}

const char *capstone_problem(void)
{
    return tried && problem[0] ? problem : NULL;
}
