/* SPDX-License-Identifier: MIT */
/*
 * Counts the code of a module that has no row, in which a chain ends, or goes on by a frame pointer
 * or a guess. Works without CFI, for stripped files too.
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
    uint64_t bytes;   /* of its instructions without a row */
    bool is_function; /* false: code, or data, in no function that was found */
};

struct rowless {
    /*
     * of instructions in executable sections, without padding and known data; of functions that
     * CFI covers completely all bytes
     */
    uint64_t code_bytes;
    uint64_t bytes;                                /* of `code_bytes`: without a row */
    uint64_t outside_bytes;                        /* of `bytes`: in no function */
    struct rowless_range largest[ROWLESS_LARGEST]; /* the most bytes first */
    size_t largest_count;
};

enum rowless_source {
    ROWLESS_ANALYSIS, /* rows by prologue analysis */
    ROWLESS_ANY,      /* by CFI and Go's tables, too; completely covered functions not analysed */
};

/* Fails with UNSUPPORTED (no instruction set for the architecture, or no code), NO_MEMORY. */
MUST_CHECK enum status rowless_count(struct module_rows *rows, struct module_set *set,
                                     struct module *module, enum rowless_source source,
                                     struct rowless *out);

#endif
