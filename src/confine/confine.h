/* SPDX-License-Identifier: MIT */
/*
 * Takes away from this program what it does not need any more, before it looks at untrusted bytes.
 * Whoever takes the program over can still compute, read files, and write to what is open.
 *
 *     no new privileges    prctl(2)
 *     capabilities         none but those to read files          capabilities.h
 *     files, signals       read below some directories           landlock.h
 *     system calls         those that the libraries make         call_filter.h
 *
 * Each is used if the kernel has it. Files to write must be open before, or are opened by a helper
 * process (opener.h). Decision 24 says what was chosen, and why.
 */
#ifndef CONFINE_CONFINE_H
#define CONFINE_CONFINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "confine/readable.h"

struct confinement {
    const struct readable *readable; /* missing paths are ignored */
    bool reads_all_users;            /* keep what lets root read other users' files */
    bool runs;                       /* files below `readable` can be executed; needs CALLS_RUN */
    unsigned calls;                  /* call_groups that are needed */
};

/* Confines this single-threaded program as far as possible; `missing` says what was not, or "". */
void confine(const struct confinement *confinement, struct diag *missing);

/* Limits the address space to `bytes` (RLIMIT_AS), mapped files included. False: errno says why. */
bool confine_memory(uint64_t bytes);

/* Limits the address space to `bytes` more than are in use now. False: errno says why. */
bool confine_more_memory(uint64_t bytes);

#endif
