/* SPDX-License-Identifier: MIT */
/* Tells the kind of a wait by the C library's functions on the waiting thread's chain. */
#ifndef THREADS_WAITS_WAIT_FUNCTIONS_H
#define THREADS_WAITS_WAIT_FUNCTIONS_H

#include <stdbool.h>

#include "base/status.h"
#include "graph/names.h"
#include "threads/waits/wait.h"
#include "unwind/chain.h"

enum c_library { LIBRARY_UNKNOWN, LIBRARY_GLIBC, LIBRARY_MUSL };

struct wait_functions {
    enum wait_kind kind; /* the kind of wait; WAIT_UNKNOWN: the functions' names do not tell */
    bool is_internal;    /* the wait is for a lock of the C library's own, of no known layout */
    enum c_library library;
};

/*
 * Fills *out from the C library's functions on the chain: from the innermost outwards to the
 * function that the program called. Fails only with NO_MEMORY.
 */
MUST_CHECK enum status wait_functions_find(struct names *names, const struct chain *chain,
                                           struct wait_functions *out);

/* Returns which C library a module is, by its file's name; LIBRARY_UNKNOWN: none. */
enum c_library wait_functions_library(const struct module *module);

/*
 * Whether `name`, not demangled, is of a library function by which programs wait, or of an inner
 * part of one: pthread_mutex_lock, pthread_mutex_lock_full, poll, __cxa_guard_acquire ... Prefixes
 * and suffixes of versions do not matter (__GI_, @@GLIBC_2.2.5).
 */
bool wait_functions_is_call(const char *name);

/*
 * Whether `name`, not demangled, is of a C library's function that those functions call to wait:
 * __lll_lock_wait ...
 */
bool wait_functions_is_inside(const char *name);

#endif
