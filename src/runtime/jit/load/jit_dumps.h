/* SPDX-License-Identifier: MIT */
/*
 * Finds jitdumps by their mappings: a writer maps a page of its jitdump as code so that perf learns
 * its path (jitdump-specification.txt of Linux), and a snapshot has that mapping, too. They are
 * read at the process's first sample, since a dump names functions of all times and most are never
 * needed.
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

/* Per snapshot: dumps, and bytes of all of them; others are left out. */
#define JIT_DUMPS_MAX       4096
#define JIT_DUMPS_BYTES_MAX (UINT64_C(2) << 30)

struct jit_dump_found {
    uint32_t pid;
    struct module *module;
    uint64_t inode; /* 0: not known */
    bool is_read;
};

struct jit_dumps {                /* zero it */
    struct jit_dump_found *found; /* owned */
    size_t count, cap;
    size_t unread;       /* dumps not read yet */
    struct map starts;   /* pid -> time of its last exec, ns since the epoch; 0: not known */
    uint64_t bytes_read; /* bytes of all dumps read */
};

void jit_dumps_clear(struct jit_dumps *dumps);
void jit_dumps_deinit(struct jit_dumps *dumps);

/*
 * Notes a mapping; a file jit-PID.dump, not deleted, will be read. `inode` 0: unknown. NO_MEMORY.
 */
MUST_CHECK enum status jit_dumps_map(struct jit_dumps *dumps, uint32_t pid, struct module *module,
                                     uint64_t inode);

/* Drops the process's dumps: it runs another program since `time_ns`. NO_MEMORY. */
MUST_CHECK enum status jit_dumps_exec(struct jit_dumps *dumps, uint32_t pid, uint64_t time_ns);

/*
 * Reads the unread dumps of process owner.pid into its JIT_DUMP map, and sets *changed to true if
 * there were any. Sets owner.start_ns itself. A file that cannot be opened, is no jitdump, or is
 * too large is passed over. So is one that is not the mapped file (by inode, unless there is a
 * sysroot), or not the process's; then the module's `problem` says so, as for a damaged dump, whose
 * functions before the damage count. Only NO_MEMORY fails.
 */
MUST_CHECK enum status jit_dumps_read(struct jit_dumps *dumps, struct jit_maps *maps,
                                      struct module_set *modules, struct jit_dump_owner owner,
                                      bool *changed);

#endif
