/* SPDX-License-Identifier: MIT */
/*
 * Keeps the files that the target has mapped, and their debug files, for the snapshot (--bundle): a
 * process of its own opens them when it is told of a mapping, as they may be gone when the target
 * has ended, and reads and compresses them when the target has been let go. To open or to read one
 * can take for ever; whoever waits for the process waits for as long as he likes.
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

/* Starts the process. NULL: it cannot be. */
struct bundler *bundler_start(void);
void bundler_destroy(struct bundler *bundler);

/*
 * `tid` has mapped this file, which is opened soon: by the kernel's link to it, or by its path
 * where that still leads to it. A file is kept once. Does not wait: what the process does not take
 * at once is told later.
 */
void bundler_keep(struct bundler *bundler, pid_t tid, const struct exec_map *map,
                  const struct map_facts *facts);

/* Tells what is left to tell, as far as the process takes it. Does not wait. */
void bundler_flush(struct bundler *bundler);

/*
 * What comes next of all that was kept, the END last; valid until the next call. BUSY: nothing
 * within so many milliseconds. IO: the process has ended.
 */
MUST_CHECK enum status bundler_next(struct bundler *bundler, int wait_ms, const struct kept **out);

#endif
