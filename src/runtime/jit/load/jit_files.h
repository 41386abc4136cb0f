/* SPDX-License-Identifier: MIT */
/*
 * Joins the parts of a snapshot's symbol files (FORMAT.md, SYMBOL_FILE), and adds the files'
 * functions and unwind rows to those of the process.
 */
#ifndef RUNTIME_JIT_LOAD_JIT_FILES_H
#define RUNTIME_JIT_LOAD_JIT_FILES_H

#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/status.h"
#include "runtime/jit/load/jit_maps.h"
#include "snapshot/event.h"

/* Most bytes of a symbol file; larger files are left out. */
#define JIT_FILE_BYTES_MAX (UINT64_C(64) << 20)

/* A symbol file of which not all parts came yet. */
struct jit_file_parts {
    uint32_t pid;
    uint64_t addr, size; /* place in the process's memory */
    uint8_t *bytes;      /* owned: `done` bytes so far */
    size_t done, cap;
};

struct jit_files { /* zeroed: no files yet */
    /* the file that is being joined: of records in the stream's order; of records read ahead */
    struct jit_file_parts told, later;
    struct diag problem; /* problem of the first file that cannot be used; what[0] 0: none */
};

void jit_files_clear(struct jit_files *files); /* keeps `problem` */
void jit_files_deinit(struct jit_files *files);

/* Drops unfinished files of process `pid`, which has called exec. */
void jit_files_forget(struct jit_files *files, uint32_t pid);

/*
 * Takes a part of a file; its process may not have been announced yet. A part that does not
 * continue the part before is ignored. With the last part adds the file's functions and rows to
 * `maps`, and sets *changed to true if there were any. Fails with NO_MEMORY only.
 */
MUST_CHECK enum status jit_files_add(struct jit_files *files, struct jit_maps *maps,
                                     struct module_set *modules,
                                     const struct snap_symbol_file *part, bool *changed);

#endif
