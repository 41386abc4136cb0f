/* SPDX-License-Identifier: MIT */
/* The sources of a module's rows. Private to module_rows*. */
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
    enum status status; /* of making `cfi`; NO_MEMORY does not mean that the section is absent */
    struct map answers; /* vaddr -> index into rows, or ANSWER_NONE */
    struct row **rows;
    size_t count, cap;
};

struct module_rows {
    struct module_set *set;
    struct module *module;
    struct cache *cache;         /* borrowed; NULL: none */
    struct code_islands islands; /* owned; image not NULL: used in place of the module's image */
    struct cfi_rows debug_frame, eh_frame;
    struct exidx *exidx;
    bool exidx_tried, code_tried, functions_tried, code_only, no_search;
    bool go_tried, go; /* go: made by Go's compiler */
    enum status exidx_status, code_status, functions_status;
    struct module_code *code;
    struct module_functions *functions;
    struct prologue_source *prologue;
    struct row scratch;
    struct go_sp_delta go_last;
};

/* Returns the image from which code and tables are read; NULL: none. */
struct elf_image *module_rows_image(struct module_rows *rows);

/* Makes `code` once. UNSUPPORTED: no code, or no instruction set for it; NO_MEMORY. */
enum status module_rows_open_code(struct module_rows *rows);

/* Makes `code`, `functions` and `prologue` once; most modules never need them. As open_code. */
enum status module_rows_open_functions(struct module_rows *rows);

/* Returns the function that holds `vaddr`, as module_functions_find. */
enum status module_rows_find_function(struct module_rows *rows, uint64_t vaddr,
                                      const struct code_function **out);

#endif
