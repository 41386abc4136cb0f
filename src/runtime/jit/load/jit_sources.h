/* SPDX-License-Identifier: MIT */
/*
 * All that is known of the code that a snapshot's processes made at run time, and who is asked
 * first:
 *
 *     given (--perf-map)  else  maps: names and symbol files of records, jitdumps
 */
#ifndef RUNTIME_JIT_LOAD_JIT_SOURCES_H
#define RUNTIME_JIT_LOAD_JIT_SOURCES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "runtime/jit/load/jit_dumps.h"
#include "runtime/jit/load/jit_files.h"
#include "runtime/jit/load/jit_maps.h"
#include "symbol/address_space.h"

struct jit_sources { /* zero it */
    /* names from the user; pid 0: of all processes; borrowed, set by the caller; NULL: none */
    struct jit_maps *given;
    struct jit_maps maps;   /* names of the snapshot: jit_maps_add */
    struct jit_files files; /* symbol files of the snapshot: jit_files_add */
    struct jit_dumps dumps; /* jitdumps that processes have mapped: jit_dumps_map */
};

/* Forgets the snapshot. */
void jit_sources_clear(struct jit_sources *jit);
void jit_sources_deinit(struct jit_sources *jit);

/* Sets jit and made_rows of the address space of process `pid`; borrowed until it is forgotten. */
void jit_sources_give(struct jit_sources *jit, uint32_t pid, struct address_space *space);

/*
 * Forgets the code of process `pid`, which has called exec at `time_ns` (since the epoch; 0: not
 * known). NO_MEMORY.
 */
MUST_CHECK enum status jit_sources_exec(struct jit_sources *jit, uint32_t pid, uint64_t time_ns);

/* Calls jit_dumps_read, unless the user gave names for the process. Fails with NO_MEMORY only. */
MUST_CHECK enum status jit_sources_read_dumps(struct jit_sources *jit, struct module_set *modules,
                                              struct jit_dump_owner owner, bool *changed);

#endif
