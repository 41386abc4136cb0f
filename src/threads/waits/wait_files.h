/* SPDX-License-Identifier: MIT */
/*
 * Private to the recogniser of waits: descriptors that a thread waits on, and their names.
 */
#ifndef THREADS_WAITS_WAIT_FILES_H
#define THREADS_WAITS_WAIT_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "arch/arch.h"
#include "base/status.h"
#include "snapshot/event.h"

struct wait_files {
    uint32_t first; /* the first descriptor, if count is not 0 */
    uint32_t count;
    bool is_known; /* false: neither the call's list nor a link of a descriptor was captured */
};

/*
 * Fill `out` with the descriptors of poll(list, count), without negative ones, or select(count,
 * read, write, except), from the memory that the sample's system call points to. Where that was not
 * captured, descriptors whose links were captured count; entries of poll that were not captured
 * count as descriptors.
 */
void wait_files_poll(const struct snap_sample *sample, const struct arch *arch,
                     struct wait_files *out);
void wait_files_select(const struct snap_sample *sample, const struct arch *arch,
                       struct wait_files *out);

/* Sets *out to "socket:[123]", "pipe:[5] and 2 more", "descriptor 3"; cleaned; malloc'ed. */
MUST_CHECK enum status wait_files_name(const struct snap_sample *sample,
                                       const struct wait_files *files, char **out);

#endif
