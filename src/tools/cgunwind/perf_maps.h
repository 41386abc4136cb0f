/* SPDX-License-Identifier: MIT */
/*
 * --perf-map: names of code made at run time for inputs that have none: perf.data, cores, and
 * snapshots of programs that tell them in a jitdump alone.
 */
#ifndef TOOLS_CGUNWIND_PERF_MAPS_H
#define TOOLS_CGUNWIND_PERF_MAPS_H

#include "base/diag.h"
#include "base/status.h"
#include "graph/jit_maps.h"

/* Bytes of a map that are read. */
#define PERF_MAP_MAX (UINT64_C(1) << 30)

/*
 * Reads the file, a perf map or a jitdump, to `maps`: for the process in its name (perf-PID.map,
 * jit-PID.dump), or for all, as pid 0, when that has none; behind what is there of that process.
 * IO, and BAD_DATA of a jitdump, with `diag` filled; NO_MEMORY.
 */
MUST_CHECK enum status perf_map_load(const char *path, struct module_set *modules,
                                     struct jit_maps *maps, struct diag *diag);

#endif
