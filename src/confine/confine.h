/* SPDX-License-Identifier: MIT */
/*
 * A program takes away from itself what it does not need any more, before it looks at bytes that
 * may be hostile. What is left to somebody who takes it over: to compute, to read files, and to
 * write to what is already open.
 *
 *     no new privileges    prctl(2)
 *     capabilities         none but those to read files          capabilities.h
 *     files, signals       read below some directories           landlock.h
 *     system calls         those that the libraries make         call_filter.h
 *
 * Each is used where the kernel has it. Files that are written have to be open before, or are
 * opened by a helper process (opener.h). Decision 24 says what was chosen, and why.
 */
#ifndef CONFINE_CONFINE_H
#define CONFINE_CONFINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "confine/readable.h"

struct confinement {
    const struct readable *readable; /* what is not there is left out */
    bool reads_all_users;            /* as far as it could before: root stays able to */
    bool runs;                       /* what is readable can be run, too; needs CALLS_RUN */
    unsigned calls;                  /* of enum call_group, what is needed besides the usual */
};

/*
 * To be called while there is one thread. Does what can be done; `missing` is filled where that is
 * not all, else its `what` is empty.
 */
void confine(const struct confinement *confinement, struct diag *missing);

/*
 * No more than so many bytes of addresses from here on (RLIMIT_AS), files that are mapped among
 * them. False: errno says why not.
 */
bool confine_memory(uint64_t bytes);

/* No more than so many bytes besides those that are in use now. */
bool confine_more_memory(uint64_t bytes);

#endif
