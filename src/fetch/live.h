/* SPDX-License-Identifier: MIT */
/*
 * ELF files of processes that still run: in a container, deleted, or replaced by now. A program
 * that has confined itself may not follow another process's links in /proc; a helper, begun before,
 * does, and hands over descriptors. It hands over ELF files only. Whether one is the file that is
 * meant is for the caller to see, by build-id; without, it has to be the very file.
 */
#ifndef FETCH_LIVE_H
#define FETCH_LIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

enum live_place {
    LIVE_MAPPED,     /* /proc/PID/map_files/START-END, which needs a capability */
    LIVE_IN_ROOT,    /* its path in the process's root */
    LIVE_EXECUTABLE, /* /proc/PID/exe */
};

struct live_file {
    uint32_t pid;
    uint64_t start_addr, end_addr; /* MAPPED */
    const char *path;              /* IN_ROOT; as the process sees it */
    bool is_exact;                 /* it has to have these numbers: */
    uint64_t dev, inode;
};

struct live;

/* To be called while there is one thread. IO: errno says why not; NO_MEMORY. */
MUST_CHECK enum status live_begin(struct live **out);
/* NULL: nothing to do. */
void live_end(struct live *live);

/* A descriptor, to be closed; -1: there is none. Any thread may ask. `live` may be NULL. */
int live_open(struct live *live, const struct live_file *file, enum live_place place);

#endif
