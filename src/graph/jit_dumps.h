/* SPDX-License-Identifier: MIT */
/*
 * Jitdumps that are found by themselves: whoever writes one maps a page of it as code, so that perf
 * learns its path (jitdump-specification.txt of Linux), and so does a snapshot. They are read when
 * the process's first sample comes, since a dump tells all times, and most are never needed.
 */
#ifndef GRAPH_JIT_DUMPS_H
#define GRAPH_JIT_DUMPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "base/status.h"
#include "graph/jit_dump_load.h"
#include "graph/jit_maps.h"
#include "symbol/module.h"

/* Of a snapshot: dumps, and bytes of all of them; others are left out. */
#define JIT_DUMPS_MAX       4096
#define JIT_DUMPS_BYTES_MAX (UINT64_C(2) << 30)

struct jit_dump_found {
    uint32_t pid;
    struct module *module;
    uint64_t inode; /* 0: not known */
    bool is_read;
};

struct jit_dumps {                /* zero it to begin with */
    struct jit_dump_found *found; /* owned */
    size_t count, cap;
    size_t unread;       /* of them */
    struct map starts;   /* pid -> when its program began, in ns since the epoch, where known */
    uint64_t bytes_read; /* of all */
};

void jit_dumps_clear(struct jit_dumps *dumps);
void jit_dumps_deinit(struct jit_dumps *dumps);

/*
 * The process has mapped the file. If it is named as jitdumps are (jit-PID.dump), and not deleted,
 * it will be read. `inode` is the file's; 0: not known. NO_MEMORY.
 */
MUST_CHECK enum status jit_dumps_map(struct jit_dumps *dumps, uint32_t pid, struct module *module,
                                     uint64_t inode);

/* The process runs another program since then, whose dumps are yet to come. NO_MEMORY. */
MUST_CHECK enum status jit_dumps_exec(struct jit_dumps *dumps, uint32_t pid, uint64_t time_ns);

/*
 * Reads what is unread of the process owner->pid, if there is any, to its JIT_DUMP map: then
 * *changed is set to true. A file that is not there, is no jitdump, or without a sysroot is not the
 * one that was mapped, is passed over. One that is not the owner's is, too, and its module's
 * `problem` says so; as it does of a damaged one, of which what comes before the damage is told.
 * owner->start_ns is set here. Only NO_MEMORY fails.
 */
MUST_CHECK enum status jit_dumps_read(struct jit_dumps *dumps, struct jit_maps *maps,
                                      struct module_set *modules, struct jit_dump_owner owner,
                                      bool *changed);

#endif
