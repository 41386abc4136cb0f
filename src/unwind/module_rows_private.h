/* SPDX-License-Identifier: MIT */
/* What the rows of a module are made from. Private to module_rows*. */
#ifndef UNWIND_MODULE_ROWS_PRIVATE_H
#define UNWIND_MODULE_ROWS_PRIVATE_H

#include "base/map.h"
#include "unwind/functions/module_code.h"
#include "unwind/functions/module_functions.h"
#include "unwind/module_rows.h"
#include "unwind/prologue_source.h"

struct cfi_rows { /* one CFI section and the rows already evaluated */
    struct cfi *cfi;
    bool tried;
    enum status status; /* of trying: what failed for want of memory is not taken for absent */
    struct map answers; /* vaddr -> index into rows, or ANSWER_NONE */
    struct row **rows;
    size_t count, cap;
};

struct module_rows {
    struct module_set *set;
    struct module *module;
    struct cache *cache;         /* borrowed; NULL: none */
    struct code_islands islands; /* owned; in place of the module's image, if that is not NULL */
    struct cfi_rows debug_frame, eh_frame;
    struct exidx *exidx;
    bool exidx_tried, code_tried, functions_tried, code_only, no_search;
    bool go_tried, go; /* made by Go's compiler */
    enum status exidx_status, code_status, functions_status;
    struct module_code *code;
    struct module_functions *functions;
    struct prologue_source *prologue;
    struct row scratch;
    struct go_sp_delta go_last; /* zeroed to begin with */
};

/* What code and tables are read from; NULL: nothing is. */
struct elf_image *module_rows_image(struct module_rows *rows);

/* The instructions; UNSUPPORTED: there is no code, or no instruction set for it. */
enum status module_rows_open_code(struct module_rows *rows);

/* What the analysis of code needs besides: its functions. Most modules never come to that. */
enum status module_rows_open_functions(struct module_rows *rows);

/* The function that holds `vaddr`. */
enum status module_rows_find_function(struct module_rows *rows, uint64_t vaddr,
                                      const struct code_function **out);

#endif
