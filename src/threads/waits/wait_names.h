/* SPDX-License-Identifier: MIT */
/*
 * Private to the recogniser of waits: what an object in memory is called.
 *
 *     g_lock, pool+0x28        a data symbol of a module
 *     libx.so+0x4010           in the data of a module, where no symbol is
 *     stack of worker (7)+0x…  from where the stack's mapping begins, else from its known end
 *     heap+0x12a0              from where the heap begins
 *     [anon]+0x7f…             elsewhere: the address itself
 */
#ifndef THREADS_WAITS_WAIT_NAMES_H
#define THREADS_WAITS_WAIT_NAMES_H

#include "base/status.h"
#include "snapshot/event.h"
#include "symbol/module.h"
#include "threads/waits/wait_threads.h"

struct wait_place { /* all borrowed */
    struct module_set *modules;
    struct address_space *space;
    const struct wait_threads *threads;
    const struct snap_sample *sample;
    uint64_t addr;
};

struct wait_place_name {
    char *text;         /* malloc'ed, clean, the caller's */
    bool is_known;      /* false: the last of the forms above */
    bool is_variable;   /* it is where a data symbol begins */
    uint32_t stack_tid; /* the thread of a stack; 0: it is on none that is known */
};

MUST_CHECK enum status wait_place_name(const struct wait_place *place, struct wait_place_name *out);

#endif
