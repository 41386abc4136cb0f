/* SPDX-License-Identifier: MIT */
/*
 * The names in a jitdump (tools/perf/Documentation/jitdump-specification.txt of Linux), in which
 * run-time compilers tell what they make: JIT_CODE_LOAD and JIT_CODE_MOVE records, in the order of
 * time. Its code, lines and unwind information are passed over.
 */
#ifndef SYMBOL_JIT_DUMP_H
#define SYMBOL_JIT_DUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cursor.h"
#include "base/diag.h"
#include "base/map.h"
#include "base/status.h"

#define JIT_DUMP_NAME_MAX 2048u /* bytes of a name; longer ones are cut */

struct jit_dump {
    uint32_t machine, pid; /* ELF's e_machine; the process's own number */
    struct cursor at;
    struct map names; /* code_index -> offset of the name */
};

/* A function that is at an address from now on. */
struct jit_dump_function {
    uint64_t start_addr, size; /* size > 0 */
    const char *name;          /* in the dump's bytes, without an end */
    size_t name_len;           /* 0: it has none */
};

/* Of the first bytes of a file: is it a jitdump, of whichever byte order? */
bool jit_dump_is(const uint8_t *bytes, size_t size);

/*
 * `bytes` (borrowed) are the whole file `name`; they may change meanwhile. BAD_DATA with `diag`
 * filled: its header is damaged or of the other byte order. To be deinitialized if OK.
 */
MUST_CHECK enum status jit_dump_init(struct jit_dump *dump, const uint8_t *bytes, size_t size,
                                     const char *name, struct diag *diag);
void jit_dump_deinit(struct jit_dump *dump);

/*
 * END: there is no more; a last record that is not whole was being written. BAD_DATA with `diag`
 * filled: a record is damaged, and where the next one begins is not known. NO_MEMORY.
 */
MUST_CHECK enum status jit_dump_next(struct jit_dump *dump, const char *name,
                                     struct jit_dump_function *out, struct diag *diag);

#endif
