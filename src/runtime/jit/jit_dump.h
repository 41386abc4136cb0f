/* SPDX-License-Identifier: MIT */
/*
 * Reads the names in a jitdump (tools/perf/Documentation/jitdump-specification.txt of Linux), the
 * file in which a run-time compiler lists what it makes: JIT_CODE_LOAD and JIT_CODE_MOVE records,
 * in order of time. Passes over code, lines and unwind information.
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

#define JIT_DUMP_NAME_MAX 2048u /* bytes; longer names are cut */

struct jit_dump {
    uint32_t machine, pid; /* e_machine of ELF; the process's number by its own count */
    struct cursor at;
    struct map names; /* code_index -> offset of the name */
};

/* A function that lies at this address from now on. */
struct jit_dump_function {
    uint64_t start_addr, size; /* size > 0 */
    const char *name;          /* in the dump's bytes, without final NUL */
    size_t name_len;           /* 0: no name */
};

/* Are these the first bytes of a jitdump, of either byte order? */
bool jit_dump_is(const uint8_t *bytes, size_t size);

/*
 * Reads the header. `bytes` (borrowed) are the whole file `name`; another process may still write
 * them. BAD_DATA with `diag` filled: the header is damaged, of the other byte order or of another
 * version than 1. OK: the caller calls jit_dump_deinit.
 */
MUST_CHECK enum status jit_dump_init(struct jit_dump *dump, const uint8_t *bytes, size_t size,
                                     const char *name, struct diag *diag);
void jit_dump_deinit(struct jit_dump *dump);

/*
 * Reads on to the next function; passes over a move whose number was never loaded. END: no more
 * whole record (the last one may be half written). BAD_DATA with `diag` filled: a record is
 * damaged, and the place of the next one not known. NO_MEMORY.
 */
MUST_CHECK enum status jit_dump_next(struct jit_dump *dump, const char *name,
                                     struct jit_dump_function *out, struct diag *diag);

#endif
