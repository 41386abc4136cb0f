/* SPDX-License-Identifier: MIT */
/*
 * Prologue analysis as a source of rows: analyses functions of one module when they are first
 * needed, and caches their rows.
 */
#ifndef UNWIND_PROLOGUE_SOURCE_H
#define UNWIND_PROLOGUE_SOURCE_H

#include "base/status.h"
#include "unwind/functions/module_code.h"
#include "unwind/functions/module_functions.h"
#include "unwind/prologue/prologue.h"

struct prologue_source;

/* Borrows `code` and `functions`. Only NO_MEMORY fails. */
MUST_CHECK enum status prologue_source_create(struct module_code *code,
                                              struct module_functions *functions,
                                              struct prologue_source **out);
void prologue_source_destroy(struct prologue_source *source);

/*
 * Is the function entered by exceptions only: from a table of vectors (code_is_vector), and by no
 * direct call? It need not return: handlers of unexpected exceptions loop.
 */
bool prologue_source_is_trap_entry(struct prologue_source *source,
                                   const struct code_function *function);

/*
 * Returns the rows of the function that holds `vaddr`, borrowed until the next call. NOT_FOUND: no
 * function, or its analysis fails (too much work included); NO_MEMORY.
 */
MUST_CHECK enum status prologue_source_rows(struct prologue_source *source, uint64_t vaddr,
                                            const struct row_table **out);

/*
 * Returns the analysis of the function that holds `vaddr`, borrowed until the next call. NOT_FOUND:
 * no function; UNSUPPORTED: too much work; NO_MEMORY.
 */
MUST_CHECK enum status prologue_source_analyse(struct prologue_source *source, uint64_t vaddr,
                                               const struct prologue **out);

/* An analysis with its inputs, to explain it. */
struct recorded_analysis {
    struct code_function function; /* set also if its analysis fails */
    struct prologue *prologue;     /* owned, like the arrays */
    struct prologue_arrival *arrivals;
    size_t arrival_count;
    struct landing_pad *landing_pads;
    size_t landing_pad_count;
};

/*
 * Analyses the function that holds `vaddr` as for its rows. Fails as prologue_source_analyse. The
 * record is valid until the next call; recorded_analysis_deinit frees it, before the source is
 * destroyed.
 */
MUST_CHECK enum status prologue_source_record(struct prologue_source *source, uint64_t vaddr,
                                              struct recorded_analysis *out);
void recorded_analysis_deinit(struct recorded_analysis *record);

#endif
