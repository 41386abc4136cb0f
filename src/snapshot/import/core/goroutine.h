/* SPDX-License-Identifier: MIT */
/*
 * Private to the core importer: finds where a Go thread's goroutine was left, from the runtime's
 * structures in the core (runtime/go/memory/goroutine.h).
 */
#ifndef SNAPSHOT_IMPORT_CORE_GOROUTINE_H
#define SNAPSHOT_IMPORT_CORE_GOROUTINE_H

#include "snapshot/event.h"
#include "runtime/go/memory/goroutine.h"
#include "snapshot/import/core/notes.h"
#include "snapshot/import/core/regions.h"

/*
 * Sets goroutine and goroutine_id of the sample, and *cuts to the bounds of two stacks: the stack
 * that SP is on, and the goroutine's. If the thread shows no structures of Go, the sample stays as
 * it is and *cuts is empty. `version`: Go's (go_version_find). Reads some KiB of the core.
 */
void core_goroutine_find(const struct core_image *image, const struct core_notes *notes,
                         unsigned version, const struct core_thread *thread,
                         struct snap_sample *sample, struct core_cuts *cuts);

/* Returns access to the core's memory, with all members of a thread 0. Borrows `image`. */
struct goroutine_memory core_goroutine_memory(const struct core_image *image);

#endif
