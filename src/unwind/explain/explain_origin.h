/* SPDX-License-Identifier: MIT */
/* Explains as text why a function is taken to start where it does; see explain.h. */
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
    struct module *module; /* the module of `rows`, which is open */
    const struct code_function *function;
    bool code_only; /* module_rows_set_code_only is set: leave out tables and symbols */
    /* as write_name of struct explain_request */
    void (*write_name)(void *context, FILE *out, uint64_t vaddr);
    void *context;
};

/*
 * Writes to `out` what decided that `function` starts there, then all other evidence for its start:
 * tables, symbols, calls, jumps, pointers, the code's begin. Decodes calls and jumps everywhere, so
 * that analyses made before may become invalid. Fails with NO_MEMORY only.
 */
MUST_CHECK enum status explain_origin_write(const struct origin_request *request, FILE *out);

#endif
