/* SPDX-License-Identifier: MIT */
/*
 * Joins the parts of a snapshot's symbol files (FORMAT.md, SYMBOL_FILE), and adds their functions
 * and rows to those of the process.
 */
#ifndef RUNTIME_JIT_LOAD_JIT_FILES_H
#define RUNTIME_JIT_LOAD_JIT_FILES_H

#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/status.h"
#include "runtime/jit/load/jit_maps.h"
#include "snapshot/event.h"

/* Bytes; larger files are left out. */
#define JIT_FILE_BYTES_MAX (UINT64_C(64) << 20)

/* A file that is not whole yet. */
struct jit_file_parts {
    uint32_t pid;
    uint64_t addr, size;
    uint8_t *bytes; /* owned: `done` bytes so far */
    size_t done, cap;
};

struct jit_files { /* zero it */
    /* the current file in the stream's order, and of those read ahead */
    struct jit_file_parts told, later;
    struct diag problem; /* of the first file that cannot be used; what[0] 0: none */
};

void jit_files_clear(struct jit_files *files); /* `problem` stays */
void jit_files_deinit(struct jit_files *files);

/* Drops the process's unfinished files: it runs another program. */
void jit_files_forget(struct jit_files *files, uint32_t pid);

/*
 * Takes a part; its process may not have been announced yet. A part that does not continue the one
 * before is ignored. *changed is set to true if functions or rows were added. Only NO_MEMORY fails.
 */
MUST_CHECK enum status jit_files_add(struct jit_files *files, struct jit_maps *maps,
                                     struct module_set *modules,
                                     const struct snap_symbol_file *part, bool *changed);

#endif
