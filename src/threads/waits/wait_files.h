/* SPDX-License-Identifier: MIT */
/*
 * Private to the recogniser of waits: finds the descriptors that a thread waits on, and names them.
 */
#ifndef THREADS_WAITS_WAIT_FILES_H
#define THREADS_WAITS_WAIT_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "arch/arch.h"
#include "base/status.h"
#include "snapshot/event.h"

struct wait_files {
    uint32_t first; /* the first of `count` descriptors; valid if count > 0 */
    uint32_t count;
    bool is_known; /* false: neither the call's list nor a link of a descriptor was captured */
};

/*
 * Fill *out with the descriptors that the sample's system call poll(list, count) or select(count,
 * read, write, except) waits on, from the memory that its arguments point to; poll's negative ones
 * do not count. Where no such memory was captured, the descriptors whose links were captured count;
 * entries of poll's list that lie beyond the captured part count as descriptors.
 */
void wait_files_poll(const struct snap_sample *sample, const struct arch *arch,
                     struct wait_files *out);
void wait_files_select(const struct snap_sample *sample, const struct arch *arch,
                       struct wait_files *out);

/*
 * Sets *out to a name of the descriptors (count > 0): "socket:[123]", "pipe:[5] and 2 more",
 * "descriptor 3". No control characters; malloc'ed, the caller frees it. Fails only with NO_MEMORY.
 */
MUST_CHECK enum status wait_files_name(const struct snap_sample *sample,
                                       const struct wait_files *files, char **out);

#endif
