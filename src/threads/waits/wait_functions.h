/* SPDX-License-Identifier: MIT */
/*
 * What the functions of a chain that blocks in a C library tell of the wait.
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
    /* WAIT_UNKNOWN: the names do not tell */
    enum wait_kind kind;
    /* a lock inside the C library, whose memory has no layout that is known here */
    bool is_internal;
    enum c_library library;
};

/*
 * Looks at the functions of the C library that are innermost in the chain. Fails only for memory.
 */
MUST_CHECK enum status wait_functions_find(struct names *names, const struct chain *chain,
                                           struct wait_functions *out);

/* The one that the module is, by its file's name. */
enum c_library wait_functions_library(const struct module *module);

/* By its raw name: a call by which programs wait, as pthread_mutex_lock. */
bool wait_functions_is_call(const char *name);

/* By its raw name: one that such calls are made of inside, as __lll_lock_wait. */
bool wait_functions_is_inside(const char *name);

#endif
