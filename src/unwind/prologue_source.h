/* SPDX-License-Identifier: MIT */
/*
 * Makes prologue analysis a source of rows: analyses functions of one module when they are first
 * needed, and caches their rows.
 */
#ifndef UNWIND_PROLOGUE_SOURCE_H
#define UNWIND_PROLOGUE_SOURCE_H

#include "base/status.h"
#include "unwind/functions/module_code.h"
#include "unwind/functions/module_functions.h"
#include "unwind/prologue/prologue.h"

struct prologue_source;

/*
 * Creates a source without analyses; *out is the caller's, and borrows `code` and `functions`.
 * Fails with NO_MEMORY only.
 */
MUST_CHECK enum status prologue_source_create(struct module_code *code,
                                              struct module_functions *functions,
                                              struct prologue_source **out);
void prologue_source_destroy(struct prologue_source *source);

/*
 * Whether the function is entered by exceptions only: from a table of vectors (code_is_vector), and
 * by no direct call. Such a function need not return: handlers of unexpected exceptions loop.
 */
bool prologue_source_is_trap_entry(struct prologue_source *source,
                                   const struct code_function *function);

/*
 * Sets *out to the rows of the function that holds `vaddr`; owned by `source`, valid until the next
 * call. NOT_FOUND: there is no function, or its analysis fails, also by too much work; NO_MEMORY.
 */
MUST_CHECK enum status prologue_source_rows(struct prologue_source *source, uint64_t vaddr,
                                            const struct row_table **out);

/*
 * Sets *out to the analysis of the function that holds `vaddr`; owned by `source`, valid until the
 * next call. NOT_FOUND: there is no function; UNSUPPORTED: too much work; NO_MEMORY.
 */
MUST_CHECK enum status prologue_source_analyse(struct prologue_source *source, uint64_t vaddr,
                                               const struct prologue **out);

/* An analysis together with its inputs, for explanations (prologue_explain.h). */
struct recorded_analysis {
    struct code_function function; /* the analysed function; set also if its analysis fails */
    struct prologue *prologue;     /* the analysis; owned, as the arrays are */
    struct prologue_arrival *arrivals;
    size_t arrival_count;
    struct landing_pad *landing_pads;
    size_t landing_pad_count;
};

/*
 * Analyses the function that holds `vaddr` as prologue_source_rows does, and fills *out. Fails as
 * prologue_source_analyse. The record is valid until the next call; the caller frees it by
 * recorded_analysis_deinit, before the source is destroyed.
 */
MUST_CHECK enum status prologue_source_record(struct prologue_source *source, uint64_t vaddr,
                                              struct recorded_analysis *out);
void recorded_analysis_deinit(struct recorded_analysis *record);

#endif
