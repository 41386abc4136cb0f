/* SPDX-License-Identifier: MIT */
#include "arch/analysis/capstone_calls.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "arch/analysis/capstone_memory.h"
#include "base/library.h"
#include "base/shortage.h"

static struct capstone_calls calls;
static char problem[LIBRARY_PROBLEM_MAX]; /* "": Capstone is loaded, or was not tried */
static atomic_bool tried;

/* Notes a shortage if Capstone is installed but cannot be read. */
static void note_problem(void)
{
    if (!strstr(problem, strerror(ENOENT)))
        shortage_note(CG_CAPSTONE_SONAME, strstr(problem, strerror(EMFILE))   ? EMFILE
                                          : strstr(problem, strerror(EACCES)) ? EACCES
                                          : strstr(problem, strerror(EIO))    ? EIO
                                                                              : ENOMEM);
}

static void load(void)
{
    static const struct library_function wanted[] = {
        LIBRARY_FUNCTION(calls.open, cs_open),
        LIBRARY_FUNCTION(calls.close, cs_close),
        LIBRARY_FUNCTION(calls.option, cs_option),
        LIBRARY_FUNCTION(calls.malloc, cs_malloc),
        LIBRARY_FUNCTION(calls.free, cs_free),
        LIBRARY_FUNCTION(calls.disasm_iter, cs_disasm_iter),
        LIBRARY_FUNCTION(calls.regs_access, cs_regs_access),
    };
    const enum status status =
        library_load(CG_CAPSTONE_SONAME, wanted, sizeof(wanted) / sizeof(wanted[0]), problem);

    if (status == STATUS_OK)
        /* Without a handle it holds for all; must come before the first one. */
        calls.option(0, CS_OPT_MEM, (size_t)(uintptr_t)capstone_memory());
    else if (status == STATUS_IO)
        note_problem();
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
