/* SPDX-License-Identifier: MIT */
/*
 * Takes rights that it does not need any more away from this program, before it looks at untrusted
 * bytes. An attacker who takes the program over can still compute, read files below some
 * directories, and write to open files.
 *
 *     no new privileges    prctl(2)
 *     core files           none: setrlimit(2)
 *     capabilities         none but those to read files          capabilities.h
 *     files, signals       read below some directories           landlock.h
 *     system calls         those that the libraries make         call_filter.h
 *
 * Each of these is used if the kernel has it. Files to write must be open before, or are opened by
 * a helper process (opener.h). docs/decisions/0024-confined.md gives the reasons.
 */
#ifndef CONFINE_CONFINE_H
#define CONFINE_CONFINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "confine/readable.h"

struct confinement {
    const struct readable *readable; /* paths that may be read; missing ones are ignored */
    bool reads_all_users;            /* keep the capabilities to read other users' files */
    bool runs;                       /* files below `readable` may be executed; needs CALLS_RUN */
    unsigned calls;                  /* permitted groups of system calls: bits of enum call_group */
};

/*
 * Confines this single-threaded program as far as the kernel can. missing->what lists the parts
 * that the kernel lacks; "": none.
 */
void confine(const struct confinement *confinement, struct diag *missing);

/*
 * Limits the program's address space, mapped files included, to `bytes` (RLIMIT_AS), or to a lower
 * limit that it has already. False: errno says why not.
 */
bool confine_memory(uint64_t bytes);

/* Limits the address space to `bytes` more than are in use now. False: errno says why not. */
bool confine_more_memory(uint64_t bytes);

#endif
