/* SPDX-License-Identifier: MIT */
/*
 * Private to the recogniser of waits: which descriptors a thread waits on, and what they are.
 */
#ifndef THREADS_WAITS_WAIT_FILES_H
#define THREADS_WAITS_WAIT_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "arch/arch.h"
#include "base/status.h"
#include "snapshot/event.h"

struct wait_files {
    uint32_t first; /* the descriptor; valid when count is not 0 */
    uint32_t count;
    bool is_known; /* false: what the call was given is not captured */
};

/* Of poll(list, count): those that are not negative. */
void wait_files_poll(const struct snap_sample *sample, const struct arch *arch,
                     struct wait_files *out);

/* Of select(count, read, write, except). */
void wait_files_select(const struct snap_sample *sample, const struct arch *arch,
                       struct wait_files *out);

/* "socket:[123]", "pipe:[5] and 2 more", "descriptor 3"; malloc'ed, clean, the caller's. */
MUST_CHECK enum status wait_files_name(const struct snap_sample *sample,
                                       const struct wait_files *files, char **out);

#endif
