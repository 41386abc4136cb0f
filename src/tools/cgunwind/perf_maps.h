/* SPDX-License-Identifier: MIT */
/*
 * --perf-map: names of code made at run time, for inputs that have none: perf.data, cores, and
 * snapshots of programs that write only a jitdump.
 */
#ifndef TOOLS_CGUNWIND_PERF_MAPS_H
#define TOOLS_CGUNWIND_PERF_MAPS_H

#include "base/diag.h"
#include "base/status.h"
#include "runtime/jit/load/jit_maps.h"

/* Bytes of a map; the rest is not read. */
#define PERF_MAP_MAX (UINT64_C(1) << 30)

/*
 * Adds the names in the file, a perf map or a jitdump, to `maps`, behind those that the process has
 * already. The process is the one in the file's name (perf-PID.map, jit-PID.dump); else they are
 * for all, as pid 0. IO, BAD_DATA (a jitdump), NO_MEMORY; `diag` says why.
 */
MUST_CHECK enum status perf_map_load(const char *path, struct module_set *modules,
                                     struct jit_maps *maps, struct diag *diag);

#endif
