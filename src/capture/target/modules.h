/* SPDX-License-Identifier: MIT */
/*
 * Writes MAP, UNMAP and CODE records for the executable mappings that came and went, by comparing
 * the mappings that were written with those that a process has now.
 */
#ifndef CAPTURE_TARGET_MODULES_H
#define CAPTURE_TARGET_MODULES_H

#include <stddef.h>
#include <sys/types.h>

#include "base/status.h"
#include "capture/target/backend.h"
#include "capture/target/maps.h"
#include "snapshot/writer.h"

/* The executable mappings of a process, as a reader of the snapshot knows them. */
struct modules {
    struct exec_map *maps; /* owned; ascending */
    size_t len, cap;
    bool has_go;               /* a mapping is of a file of Go code */
    bool has_gos;              /* several files have Go code; their versions of Go may differ */
    uint64_t go_dev, go_inode; /* the first file of Go code */
};

void modules_deinit(struct modules *modules);

/* Makes the next modules_update write the mapping again, as another one; for other code there. */
void modules_forget(struct modules *modules, const struct exec_map *map);

/*
 * Forgets, likewise, the mapping of a file that was mapped again, at `time_ns`, after its file was
 * asked for: another one may have its place and number. Returns whether there is such a mapping.
 */
bool modules_forget_remapped(struct modules *modules, const struct exec_map *map, uint64_t time_ns);

/*
 * Writes the differences between `modules` and `maps`, of process `pid`, and makes `modules` equal
 * to `maps`; calls the backend's keep_file for new files, for a bundle. Reads memory through the
 * live thread `tid`. *unanswered counts mappings whose files did not answer in time: each call asks
 * about these again, and writes their MAP record once more when there is an answer. NO_MEMORY, or
 * the writer's error: modules->maps is as before.
 */
MUST_CHECK enum status modules_update(struct modules *modules, const struct target *target,
                                      pid_t pid, pid_t tid, struct maps *maps,
                                      struct snap_writer *writer, uint64_t *unanswered);

#endif
