/* SPDX-License-Identifier: MIT */
/*
 * Orders a process's mappings by address. Where they overlap the newest counts, and covers parts of
 * older ones. Address order costs the reader of events least.
 */
#ifndef SNAPSHOT_IMPORT_PERF_LAYOUT_H
#define SNAPSHOT_IMPORT_PERF_LAYOUT_H

#include <stdbool.h>

#include "snapshot/import/perf/tasks.h"

struct perf_layout_entry {
    uint64_t start_addr;
    uint32_t index; /* in list: higher is newer */
};

struct perf_layout {             /* zero it */
    const struct perf_map *list; /* borrowed; `count` entries */
    struct perf_layout_entry *sorted;
    uint32_t *heap; /* mappings that begin at `addr` or before, the newest on top */
    size_t count, sorted_cap, next, heap_count, heap_cap;
    uint64_t addr; /* mappings below have been returned */
};

void perf_layout_deinit(struct perf_layout *layout);

/*
 * Begins with the list of `maps`, oldest first, which is borrowed and must stay unchanged until
 * perf_layout_next returns false. NO_MEMORY.
 */
MUST_CHECK enum status perf_layout_begin(struct perf_layout *layout, const struct perf_maps *maps);

/* Fills *out with the next mapping or visible part of one; false: none left. */
bool perf_layout_next(struct perf_layout *layout, struct perf_map *out);

#endif
