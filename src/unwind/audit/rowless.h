/* SPDX-License-Identifier: MIT */
/*
 * What of a module's code has no row: where a chain that comes through it ends, or goes on by a
 * frame pointer or a guess. It needs no CFI, so that it can be asked of a stripped file.
 */
#ifndef UNWIND_AUDIT_ROWLESS_H
#define UNWIND_AUDIT_ROWLESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "symbol/module.h"
#include "unwind/module_rows.h"

#define ROWLESS_LARGEST 10

struct rowless_range {
    uint64_t start_vaddr, end_vaddr;
    uint64_t bytes;   /* of instructions in it without a row */
    bool is_function; /* false: code, or data, that is in no function that was found */
};

struct rowless {
    /*
     * Of instructions in the executable sections: not of padding, and what is known to be data, by
     * symbols, too. Of functions that CFI covers all over: all bytes.
     */
    uint64_t code_bytes;
    uint64_t bytes;                                /* those of them that have no row */
    uint64_t outside_bytes;                        /* those of `bytes` that are in no function */
    struct rowless_range largest[ROWLESS_LARGEST]; /* the most bytes first */
    size_t largest_count;
};

enum rowless_source {
    ROWLESS_ANALYSIS, /* rows by prologue analysis */
    ROWLESS_ANY,      /* by CFI, too; functions that it covers all over are not analysed */
};

/* UNSUPPORTED: no instruction set for the module's architecture, or no code. NO_MEMORY. */
MUST_CHECK enum status rowless_count(struct module_rows *rows, struct module_set *set,
                                     struct module *module, enum rowless_source source,
                                     struct rowless *out);

#endif
