/* SPDX-License-Identifier: MIT */
/*
 * Kinds of waits by the functions of a chain that blocks in a C library.
 */
#ifndef THREADS_WAITS_WAIT_FUNCTIONS_H
#define THREADS_WAITS_WAIT_FUNCTIONS_H

#include <stdbool.h>

#include "base/status.h"
#include "graph/names.h"
#include "threads/waits/wait.h"
#include "unwind/chain.h"

enum c_library { LIBRARY_UNKNOWN, LIBRARY_GLIBC, LIBRARY_MUSL };

struct wait_functions {
    enum wait_kind kind; /* WAIT_UNKNOWN: the names do not tell */
    bool is_internal;    /* a lock of the C library's own, whose layout is not known */
    enum c_library library;
};

/*
 * Fills `out` from the C library's functions at the inner end of the chain, outwards to the call
 * that the program made. Fails only with NO_MEMORY.
 */
MUST_CHECK enum status wait_functions_find(struct names *names, const struct chain *chain,
                                           struct wait_functions *out);

/* Returns the library that a module is, by its file's name. */
enum c_library wait_functions_library(const struct module *module);

/* Whether a raw name is of a call by which programs wait: pthread_mutex_lock ... */
bool wait_functions_is_call(const char *name);

/* Whether a raw name is of a function inside such calls: __lll_lock_wait ... */
bool wait_functions_is_inside(const char *name);

#endif
