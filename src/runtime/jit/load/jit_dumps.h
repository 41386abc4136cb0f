/* SPDX-License-Identifier: MIT */
/*
 * Finds jitdumps by their mappings: a writer maps a page of its jitdump as code so that perf learns
 * its path (jitdump-specification.txt of Linux), and a snapshot has that mapping, too. A dump names
 * functions of all times, and most dumps are never needed: so a process's dumps are read at its
 * first sample.
 */
#ifndef RUNTIME_JIT_LOAD_JIT_DUMPS_H
#define RUNTIME_JIT_LOAD_JIT_DUMPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "base/status.h"
#include "runtime/jit/load/jit_dump_load.h"
#include "runtime/jit/load/jit_maps.h"
#include "symbol/module.h"

/* Most dumps, and most bytes of all of them, in a snapshot; others are left out. */
#define JIT_DUMPS_MAX       4096
#define JIT_DUMPS_BYTES_MAX (UINT64_C(2) << 30)

struct jit_dump_found {
    uint32_t pid;          /* of the process that has mapped the dump */
    struct module *module; /* of the mapping */
    uint64_t inode;        /* of the mapped file; 0: not known */
    bool is_read;          /* jit_dumps_read has tried to read the dump */
};

struct jit_dumps {                /* zero it */
    struct jit_dump_found *found; /* owned */
    size_t count, cap;
    size_t unread;       /* number of dumps with is_read false */
    struct map starts;   /* pid -> time of its last exec, ns since the epoch; 0: not known */
    uint64_t bytes_read; /* sum of the sizes of all dumps read */
};

void jit_dumps_clear(struct jit_dumps *dumps);
void jit_dumps_deinit(struct jit_dumps *dumps);

/*
 * Takes a mapping of process `pid`; if its file is named jit-PID.dump and not deleted, adds it to
 * the dumps that will be read. `inode`: of the file; 0: not known. NO_MEMORY.
 */
MUST_CHECK enum status jit_dumps_map(struct jit_dumps *dumps, uint32_t pid, struct module *module,
                                     uint64_t inode);

/*
 * Drops the dumps of process `pid`, which has called exec at `time_ns` (since the epoch; 0: not
 * known). NO_MEMORY.
 */
MUST_CHECK enum status jit_dumps_exec(struct jit_dumps *dumps, uint32_t pid, uint64_t time_ns);

/*
 * Reads the unread dumps of process owner.pid into its JIT_DUMP map, and sets *changed to true if
 * there were any. `owner` need not have start_ns. A file that cannot be opened, is no jitdump, or
 * is too large is passed over. A file that is not the mapped one (by inode, unless there is a
 * sysroot), or not the process's, is passed over, too, and the module's `problem` says so; also for
 * a damaged dump, whose functions before the damage are added. Fails with NO_MEMORY only.
 */
MUST_CHECK enum status jit_dumps_read(struct jit_dumps *dumps, struct jit_maps *maps,
                                      struct module_set *modules, struct jit_dump_owner owner,
                                      bool *changed);

#endif
