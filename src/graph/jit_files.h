/* SPDX-License-Identifier: MIT */
/*
 * Symbol files of a snapshot (FORMAT.md, SYMBOL_FILE): put together from their parts, and what they
 * tell of functions and their rows added to what is told of their process.
 */
#ifndef GRAPH_JIT_FILES_H
#define GRAPH_JIT_FILES_H

#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/status.h"
#include "graph/jit_maps.h"
#include "snapshot/event.h"

/* Larger ones are left out. */
#define JIT_FILE_BYTES_MAX (UINT64_C(64) << 20)

/* One that is not whole yet. */
struct jit_file_parts {
    uint32_t pid;
    uint64_t addr, size;
    uint8_t *bytes; /* owned: of so many */
    size_t done, cap;
};

struct jit_files {                     /* zero it to begin with */
    struct jit_file_parts told, later; /* as they come, and of those that come ahead */
    struct diag problem;               /* of the first that cannot be used; what[0]: there is */
};

void jit_files_clear(struct jit_files *files); /* `problem` stays */
void jit_files_deinit(struct jit_files *files);

/* The process runs another program: a file of it that is not whole is of the one before. */
void jit_files_forget(struct jit_files *files, uint32_t pid);

/*
 * Takes a part; its process need not be known yet. *changed is set to true if more functions or
 * rows are told. Only NO_MEMORY fails.
 */
MUST_CHECK enum status jit_files_add(struct jit_files *files, struct jit_maps *maps,
                                     struct module_set *modules,
                                     const struct snap_symbol_file *part, bool *changed);

#endif
