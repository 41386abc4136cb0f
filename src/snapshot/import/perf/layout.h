/* SPDX-License-Identifier: MIT */
/*
 * A process's mappings as they lie in memory: of those that overlap the newest counts, what it
 * covers of older ones is gone. In the order of addresses, which costs the reader of events least.
 */
#ifndef SNAPSHOT_IMPORT_PERF_LAYOUT_H
#define SNAPSHOT_IMPORT_PERF_LAYOUT_H

#include <stdbool.h>

#include "snapshot/import/perf/tasks.h"

struct perf_layout_entry {
    uint64_t start_addr;
    uint32_t index; /* in list: how new it is */
};

struct perf_layout {             /* zero it */
    const struct perf_map *list; /* borrowed, of `count` */
    struct perf_layout_entry *sorted;
    uint32_t *heap; /* of those that begin at addr or before: the newest first */
    size_t count, sorted_cap, next, heap_count, heap_cap;
    uint64_t addr; /* what is below has been given */
};

void perf_layout_deinit(struct perf_layout *layout);

/* `list`, oldest first, stays as it is until the last of it has been taken. */
MUST_CHECK enum status perf_layout_begin(struct perf_layout *layout, const struct perf_maps *maps);

/* The next mapping or part of one; false: there is none left. */
bool perf_layout_next(struct perf_layout *layout, struct perf_map *out);

#endif
