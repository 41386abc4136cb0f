/* SPDX-License-Identifier: MIT */
/*
 * Private to the core importer: of a thread of a Go program, where its goroutine was left, by what
 * the core has of the runtime's structures (snapshot/goroutine.h).
 */
#ifndef SNAPSHOT_IMPORT_CORE_GOROUTINE_H
#define SNAPSHOT_IMPORT_CORE_GOROUTINE_H

#include "snapshot/event.h"
#include "snapshot/goroutine.h"
#include "snapshot/import/core/notes.h"
#include "snapshot/import/core/regions.h"

/*
 * Fills the sample's goroutine and that one's number, and `cuts`: where the stack that SP is on and
 * the goroutine's begin and end. Of what shows no goroutine nothing is known, and nothing is cut.
 * `version`: of Go (snapshot/go_version.h). Reads some KiB of the core.
 */
void core_goroutine_find(const struct core_image *image, const struct core_notes *notes,
                         unsigned version, const struct core_thread *thread,
                         struct snap_sample *sample, struct core_cuts *cuts);

/* To read the process's memory with, which the image is borrowed for; of no thread. */
struct goroutine_memory core_goroutine_memory(const struct core_image *image);

#endif
