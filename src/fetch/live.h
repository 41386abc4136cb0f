/* SPDX-License-Identifier: MIT */
/*
 * Opens ELF files of processes that still run: files in a container, deleted or replaced. A program
 * that has confined itself may not follow another process's links in /proc; a helper process,
 * started before, follows them and passes descriptors, of ELF files only. The caller checks by
 * build-id whether a file is the wanted one; a caller without build-id sets is_exact.
 */
#ifndef FETCH_LIVE_H
#define FETCH_LIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

enum live_place {
    LIVE_MAPPED,     /* by /proc/PID/map_files/START-END; needs a capability */
    LIVE_IN_ROOT,    /* by `path` in the process's root directory */
    LIVE_EXECUTABLE, /* by /proc/PID/exe */
};

struct live_file {
    uint32_t pid;                  /* of the process; 0: there is none, and nothing is opened */
    uint64_t start_addr, end_addr; /* for LIVE_MAPPED: the mapping */
    const char *path;              /* for LIVE_IN_ROOT, as the process sees it; never NULL */
    bool is_exact;                 /* open only a file with this `dev` and `inode` */
    uint64_t dev, inode;
};

struct live;

/*
 * Starts the helper process; to be called while the process has one thread; the caller calls
 * live_end. IO: errno says why; NO_MEMORY.
 */
MUST_CHECK enum status live_begin(struct live **out);
/* Frees `live` and lets the helper end, without waiting. NULL: does nothing. */
void live_end(struct live *live);

/*
 * Opens the file at this place; returns a descriptor, which the caller closes. -1: there is no such
 * file, it is no ELF file, or `live` is NULL. Once the helper has not answered for five seconds,
 * this and all later calls return -1. Any thread may call.
 */
int live_open(struct live *live, const struct live_file *file, enum live_place place);

#endif
