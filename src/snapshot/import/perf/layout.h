/* SPDX-License-Identifier: MIT */
/*
 * Orders a process's mappings by address, which costs the reader of events least. Where mappings
 * overlap the newest counts, and only the other parts of older ones are visible.
 */
#ifndef SNAPSHOT_IMPORT_PERF_LAYOUT_H
#define SNAPSHOT_IMPORT_PERF_LAYOUT_H

#include <stdbool.h>

#include "snapshot/import/perf/tasks.h"

struct perf_layout_entry {
    uint64_t start_addr;
    uint32_t index; /* index in perf_layout.list: higher is newer */
};

struct perf_layout {             /* zero it; private */
    const struct perf_map *list; /* borrowed; `count` entries, the oldest first */
    /* owned; `count` entries by address; those before `next` are done */
    struct perf_layout_entry *sorted;
    uint32_t *heap; /* owned; mappings that begin at `addr` or before, the newest on top */
    size_t count, sorted_cap, next, heap_count, heap_cap;
    uint64_t addr; /* addresses below have been returned */
};

void perf_layout_deinit(struct perf_layout *layout);

/*
 * Begins to order the mappings of `maps`, the oldest first, which is borrowed and must stay
 * unchanged until perf_layout_next returns false. NO_MEMORY.
 */
MUST_CHECK enum status perf_layout_begin(struct perf_layout *layout, const struct perf_maps *maps);

/* Sets *out to the next mapping, or the next visible part of a mapping. False: none is left. */
bool perf_layout_next(struct perf_layout *layout, struct perf_map *out);

#endif
