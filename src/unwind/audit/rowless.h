/* SPDX-License-Identifier: MIT */
/*
 * Counts the code of a module for which there is no row: there a chain ends, or goes on by a frame
 * pointer or a guess. Works without CFI, for stripped files, too.
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
    uint64_t bytes;   /* bytes of its instructions that have no row */
    bool is_function; /* a function; false: code, or data, between functions that were found */
};

struct rowless {
    /*
     * size of the instructions in executable sections, without padding and known data; of a
     * function that CFI covers completely, all its bytes
     */
    uint64_t code_bytes;
    uint64_t bytes;         /* those of code_bytes that have no row */
    uint64_t outside_bytes; /* those of `bytes` that are in no function */
    /* the ranges with the most `bytes`, the largest first */
    struct rowless_range largest[ROWLESS_LARGEST];
    size_t largest_count;
};

enum rowless_source {
    ROWLESS_ANALYSIS, /* only rows by prologue analysis count */
    ROWLESS_ANY, /* rows by CFI and Go's tables, too; functions that these cover are not analysed */
};

/*
 * Counts for `module`, which is open and whose rows are `rows`. UNSUPPORTED: its architecture has
 * no instruction set here, or it has no code; NO_MEMORY.
 */
MUST_CHECK enum status rowless_count(struct module_rows *rows, struct module_set *set,
                                     struct module *module, enum rowless_source source,
                                     struct rowless *out);

#endif
