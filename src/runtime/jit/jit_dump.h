/* SPDX-License-Identifier: MIT */
/*
 * Reads the names in a jitdump (tools/perf/Documentation/jitdump-specification.txt of Linux), the
 * file in which a run-time compiler lists the functions that it makes: JIT_CODE_LOAD and
 * JIT_CODE_MOVE records, in order of time. Passes over code, lines and unwind information.
 */
#ifndef RUNTIME_JIT_JIT_DUMP_H
#define RUNTIME_JIT_JIT_DUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cursor.h"
#include "base/diag.h"
#include "base/map.h"
#include "base/status.h"

#define JIT_DUMP_NAME_MAX 2048u /* most bytes of a name; longer names are cut */

struct jit_dump {
    uint32_t machine, pid; /* e_machine of ELF; the process's pid in its own pid namespace */
    struct cursor at;      /* the dump's bytes; position of the next record */
    struct map names;      /* code_index -> offset of the name in the dump */
};

/* A function that is at start_addr from this record on. */
struct jit_dump_function {
    uint64_t start_addr, size; /* run-time address; bytes, more than 0 */
    const char *name;          /* name_len bytes in the dump, no NUL */
    size_t name_len;           /* 0: no name */
};

/* Whether the first `size` bytes of a file are those of a jitdump, of either byte order. */
bool jit_dump_is(const uint8_t *bytes, size_t size);

/*
 * Reads the header. `bytes` (borrowed) are the whole dump; another process may still write to them.
 * `name` is for messages. BAD_DATA with `diag` filled: the header is damaged, of the other byte
 * order or of another version than 1. Only after OK jit_dump_deinit is to be called.
 */
MUST_CHECK enum status jit_dump_init(struct jit_dump *dump, const uint8_t *bytes, size_t size,
                                     const char *name, struct diag *diag);
void jit_dump_deinit(struct jit_dump *dump);

/*
 * Sets *out to the function of the next LOAD or MOVE record; a MOVE of a function that was never
 * loaded is passed over. END: there is no more whole record (the last one may be half written).
 * BAD_DATA with `diag` filled: a record is damaged, so that the rest cannot be read. NO_MEMORY.
 */
MUST_CHECK enum status jit_dump_next(struct jit_dump *dump, const char *name,
                                     struct jit_dump_function *out, struct diag *diag);

#endif
