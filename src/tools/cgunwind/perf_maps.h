/* SPDX-License-Identifier: MIT */
/*
 * --perf-map: reads names of code made at run time, for inputs that have no such names: perf.data,
 * cores, and snapshots of programs that write only a jitdump.
 */
#ifndef TOOLS_CGUNWIND_PERF_MAPS_H
#define TOOLS_CGUNWIND_PERF_MAPS_H

#include "base/diag.h"
#include "base/status.h"
#include "runtime/jit/load/jit_maps.h"

/* The most bytes of a perf map that are read; the rest is ignored. */
#define PERF_MAP_MAX (UINT64_C(1) << 30)

/*
 * Adds the functions that a file lists, a perf map or a jitdump, to `maps`, after those that the
 * process has already. The file's name tells the process (perf-PID.map, jit-PID.dump); functions of
 * a file with another name are for all processes, as pid 0. IO; BAD_DATA (jitdumps only);
 * NO_MEMORY; `diag` says why.
 */
MUST_CHECK enum status perf_map_load(const char *path, struct module_set *modules,
                                     struct jit_maps *maps, struct diag *diag);

#endif
