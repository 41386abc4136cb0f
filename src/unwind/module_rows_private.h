/* SPDX-License-Identifier: MIT */
/* The state of a module's rows and their sources. Private to module_rows*. */
#ifndef UNWIND_MODULE_ROWS_PRIVATE_H
#define UNWIND_MODULE_ROWS_PRIVATE_H

#include "base/map.h"
#include "unwind/functions/module_code.h"
#include "unwind/functions/module_functions.h"
#include "unwind/module_rows.h"
#include "unwind/prologue_source.h"

struct cfi_rows { /* one CFI section, and the rows evaluated so far */
    struct cfi *cfi;
    bool tried;
    /* how making `cfi` ended; NO_MEMORY does not mean that the section is absent */
    enum status status;
    struct map answers; /* vaddr -> index into rows, or ANSWER_NONE */
    struct row **rows;
    size_t count, cap;
};

struct module_rows {
    struct module_set *set;
    struct module *module;
    struct cache *cache; /* of module_rows_set_cache; borrowed; NULL: none */
    /* owned; if `image` is set it is used in place of the module's image */
    struct code_islands islands;
    struct cfi_rows debug_frame, eh_frame;
    struct exidx *exidx;
    bool exidx_tried, code_tried, functions_tried, code_only, no_search;
    bool go_tried, go; /* go: Go's compiler made the file; valid if go_tried */
    bool entry_tried;
    bool conflict_tried, conflict; /* of module_rows_conflict; the latter valid if tried */
    uint64_t entry_vaddr;          /* of module_rows_entry; valid if entry_tried */
    enum status exidx_status, code_status, functions_status;
    struct module_code *code;
    struct module_functions *functions;
    struct prologue_source *prologue;
    struct map by_hand; /* answers of module_rows_called_by_hand */
    struct row scratch;
    struct go_sp_delta go_last;
};

/*
 * Returns the image that code and tables are read from: the islands', else the module's, which it
 * opens; NULL: none.
 */
struct elf_image *module_rows_image(struct module_rows *rows);

/*
 * Makes rows->code, at the first call. UNSUPPORTED: there is no code, or no instruction set for its
 * architecture; NO_MEMORY.
 */
enum status module_rows_open_code(struct module_rows *rows);

/*
 * Makes rows->code, functions and prologue, at the first call: most modules never need them. Fails
 * as module_rows_open_code.
 */
enum status module_rows_open_functions(struct module_rows *rows);

/*
 * Whether the module's two CFI sections contradict each other: an FDE of .debug_frame begins inside
 * one of .eh_frame. Tools that move code (BOLT) or replace sections (objcopy) leave such a
 * .debug_frame behind.
 */
bool module_rows_conflict(struct module_rows *rows);

/*
 * Looks whether `row`, of the CFI section `source`, holds at `vaddr` where the other section says
 * something else. The section that the analysis of the code agrees with is right; if it agrees with
 * neither, .eh_frame is, which the program itself may unwind by. In a module_rows_conflict a row
 * that .debug_frame alone has needs the analysis, too. NOT_FOUND: the row does not hold, which
 * the module's problem tells; NO_MEMORY.
 */
MUST_CHECK enum status module_rows_confirm(struct module_rows *rows, enum trust source,
                                           uint64_t vaddr, const struct row *row);

/*
 * Sets *out to the function that holds `vaddr`, as module_functions_find; fails so, or as
 * module_rows_open_functions.
 */
enum status module_rows_find_function(struct module_rows *rows, uint64_t vaddr,
                                      const struct code_function **out);

#endif
