/* SPDX-License-Identifier: MIT */
/*
 * Opens ELF files of processes that still run: files in a container, deleted or replaced. A program
 * that has confined itself may not follow another process's links in /proc; a helper process,
 * started before, follows them and passes descriptors, of ELF files only. The caller checks by
 * build-id whether a file is the wanted one; without a build-id it sets is_exact.
 */
#ifndef FETCH_LIVE_H
#define FETCH_LIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

enum live_place {
    LIVE_MAPPED,     /* /proc/PID/map_files/START-END; needs a capability */
    LIVE_IN_ROOT,    /* `path` in the process's root directory */
    LIVE_EXECUTABLE, /* /proc/PID/exe */
};

struct live_file {
    uint32_t pid;                  /* 0: no process, no file */
    uint64_t start_addr, end_addr; /* for LIVE_MAPPED */
    const char *path;              /* for LIVE_IN_ROOT, as the process sees it; never NULL */
    bool is_exact;                 /* only a file with this `dev` and `inode` will do */
    uint64_t dev, inode;
};

struct live;

/* Starts the helper; call it while there is one thread. IO: errno says why; NO_MEMORY. */
MUST_CHECK enum status live_begin(struct live **out);
/* NULL: does nothing. */
void live_end(struct live *live);

/*
 * Returns a descriptor, which the caller closes. -1: no such file, no ELF file, or `live` is NULL;
 * also, from then on for all files, when the helper has not answered for five seconds. Any thread
 * may call.
 */
int live_open(struct live *live, const struct live_file *file, enum live_place place);

#endif
