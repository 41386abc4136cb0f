/* SPDX-License-Identifier: MIT */
/*
 * Private to the recogniser of waits: names an object by its place in memory.
 *
 *     g_lock, pool+0x28         a data symbol of a module
 *     libx.so+0x4010            in a file's data without a symbol: address in the file
 *     stack of worker (7)+0x40  offset from where the captured mapping, else the stack's, begins
 *     heap+0x12a0               offset from where the heap begins
 *     [stack]+0x40              on the stack of a thread that is not known
 *     [anon]+0x7f40             elsewhere: the address itself
 */
#ifndef THREADS_WAITS_WAIT_NAMES_H
#define THREADS_WAITS_WAIT_NAMES_H

#include "base/status.h"
#include "snapshot/event.h"
#include "symbol/address_space.h"
#include "threads/waits/wait_threads.h"

struct wait_place { /* an address to name, and where to look; all pointers are borrowed */
    struct module_set *modules;
    struct address_space *space;
    const struct wait_threads *threads;
    const struct snap_sample *sample;
    uint64_t addr;
};

struct wait_place_name {
    char *text;         /* malloc'ed, the caller frees it; no control characters */
    bool is_known;      /* false: `text` is the address itself, "[anon]+0x7f40" */
    bool is_variable;   /* a data symbol begins at the address */
    uint32_t stack_tid; /* tid of the thread on whose stack the address is; 0: no known thread */
};

/* Names place->addr. Fails only with NO_MEMORY. */
MUST_CHECK enum status wait_place_name(const struct wait_place *place, struct wait_place_name *out);

#endif
