/* SPDX-License-Identifier: MIT */
/*
 * Keeps the files that the target maps, and their debug files, for the snapshot (--bundle). A
 * helper process opens each file when it is told of the mapping, as the file may be gone when the
 * target has ended; it reads and compresses the files when the target has been let go. Opening and
 * reading can block for ever: only the helper blocks.
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

/* Starts the helper process; the caller calls bundler_destroy. NULL: that failed. */
struct bundler *bundler_start(void);
void bundler_destroy(struct bundler *bundler);

/*
 * Has the helper keep the file that `tid` has mapped as `map`: opened by the kernel's link to the
 * file, or by its path if that still leads to the file. Does nothing for a file that the helper was
 * told of before. Does not wait: requests that the helper does not take at once are queued, up to
 * 64 MiB; further files are counted as missing.
 */
void bundler_keep(struct bundler *bundler, pid_t tid, const struct exec_map *map,
                  const struct map_facts *facts);

/* Sends the queued requests, as far as the helper takes them. Does not wait. */
void bundler_flush(struct bundler *bundler);

/*
 * Sets *out to the next piece of the kept files, last KEPT_END; borrowed until the next call. BUSY:
 * nothing came within `wait_ms` milliseconds. IO: the helper has ended.
 */
MUST_CHECK enum status bundler_next(struct bundler *bundler, int wait_ms, const struct kept **out);

#endif
