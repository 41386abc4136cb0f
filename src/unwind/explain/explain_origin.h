/* SPDX-License-Identifier: MIT */
/* Why a function is taken to start where it does, as text; see explain.h. */
#ifndef UNWIND_EXPLAIN_EXPLAIN_ORIGIN_H
#define UNWIND_EXPLAIN_EXPLAIN_ORIGIN_H

#include <stdio.h>

#include "base/status.h"
#include "symbol/module.h"
#include "unwind/functions/functions.h"
#include "unwind/module_rows.h"

struct origin_request {
    struct module_rows *rows;
    struct module_set *set;
    struct module *module; /* open */
    const struct code_function *function;
    bool code_only; /* as module_rows_set_code_only: no tables, no symbols */
    /* as in struct explain_request */
    void (*write_name)(void *context, FILE *out, uint64_t vaddr);
    void *context;
};

/*
 * What decided, then all else that tells of the start: tables, symbols, calls, jumps, pointers, how
 * the code begins. All code is looked through once: to be written before the function is analysed
 * for good. Only NO_MEMORY fails.
 */
MUST_CHECK enum status explain_origin_write(const struct origin_request *request, FILE *out);

#endif
