/* SPDX-License-Identifier: MIT */
/*
 * Keeps the files that the target maps, and their debug files, for the snapshot (--bundle). A
 * process of its own opens each file when it is told of the mapping, as the file may be gone when
 * the target has ended; it reads and compresses the files when the target has been let go. Opening
 * and reading can block for ever: only this process blocks.
 */
#ifndef CAPTURE_PTRACE_BUNDLER_H
#define CAPTURE_PTRACE_BUNDLER_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/status.h"
#include "capture/target/backend.h"
#include "capture/target/kept.h"
#include "capture/target/maps.h"

struct bundler;

/* Starts the process. NULL: failed. */
struct bundler *bundler_start(void);
void bundler_destroy(struct bundler *bundler);

/*
 * Has the process keep the file that `tid` has mapped: opened by the kernel's link to it, or by its
 * path if that still leads to it. Does nothing for a file it was told of before. Does not wait:
 * what the process does not take at once is queued, up to 64 MiB; files beyond are counted as
 * missing.
 */
void bundler_keep(struct bundler *bundler, pid_t tid, const struct exec_map *map,
                  const struct map_facts *facts);

/* Sends what is queued, as far as the process takes it. Does not wait. */
void bundler_flush(struct bundler *bundler);

/*
 * Sets *out to the next piece of what was kept, END last; borrowed until the next call. BUSY:
 * nothing came within `wait_ms`. IO: the process has ended.
 */
MUST_CHECK enum status bundler_next(struct bundler *bundler, int wait_ms, const struct kept **out);

#endif
