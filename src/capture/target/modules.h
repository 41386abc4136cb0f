/* SPDX-License-Identifier: MIT */
/*
 * Tells the snapshot which executable mappings came and went: MAP, UNMAP and CODE records, by
 * comparing what was written before with what a process maps now.
 */
#ifndef CAPTURE_TARGET_MODULES_H
#define CAPTURE_TARGET_MODULES_H

#include <stddef.h>
#include <sys/types.h>

#include "base/status.h"
#include "capture/target/backend.h"
#include "capture/target/maps.h"
#include "snapshot/writer.h"

/* What the file says is mapped. */
struct modules {
    struct exec_map *maps; /* owned; ascending */
    size_t len, cap;
    bool has_go;  /* one is of a Go program */
    bool has_gos; /* of several files: one may be of another version of Go than the others */
    uint64_t go_dev, go_inode; /* of the first of them */
};

void modules_deinit(struct modules *modules);

/*
 * Writes the differences between `modules` and `maps`, of process `pid`, and makes `modules` equal.
 * Memory is read through the live thread `tid`. *unanswered grows by the mappings whose files could
 * not be looked at: those are looked at again each time, and when that comes to something, they are
 * written once more, and *unanswered falls. NO_MEMORY, or the writer's error.
 */
MUST_CHECK enum status modules_update(struct modules *modules, const struct target *target,
                                      pid_t pid, pid_t tid, struct maps *maps,
                                      struct snap_writer *writer, uint64_t *unanswered);

#endif
