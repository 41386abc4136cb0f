/* SPDX-License-Identifier: MIT */
/*
 * Writes which executable mappings came and went: MAP, UNMAP and CODE records, by comparing what
 * was written with what a process maps now.
 */
#ifndef CAPTURE_TARGET_MODULES_H
#define CAPTURE_TARGET_MODULES_H

#include <stddef.h>
#include <sys/types.h>

#include "base/status.h"
#include "capture/target/backend.h"
#include "capture/target/maps.h"
#include "snapshot/writer.h"

/* The mappings that are written as MAP and hold. */
struct modules {
    struct exec_map *maps; /* owned; ascending */
    size_t len, cap;
    bool has_go;               /* a mapping is of a Go program */
    bool has_gos;              /* several such files: their versions of Go may differ */
    uint64_t go_dev, go_inode; /* the first such file */
};

void modules_deinit(struct modules *modules);

/*
 * Writes the differences between `modules` and `maps`, of process `pid`, and makes `modules` equal;
 * has the backend keep new files for a bundle. Reads memory through the live thread `tid`.
 * *unanswered counts mappings whose files did not answer: these are asked about again each time,
 * and written once more when there is an answer. NO_MEMORY, or the writer's error: `modules` is as
 * before.
 */
MUST_CHECK enum status modules_update(struct modules *modules, const struct target *target,
                                      pid_t pid, pid_t tid, struct maps *maps,
                                      struct snap_writer *writer, uint64_t *unanswered);

#endif
