/* SPDX-License-Identifier: MIT */
/*
 * Prologue analysis as a source of rows: the analysed functions of one module, made when first
 * needed and cached.
 */
#ifndef UNWIND_PROLOGUE_SOURCE_H
#define UNWIND_PROLOGUE_SOURCE_H

#include "base/status.h"
#include "unwind/functions/module_code.h"
#include "unwind/functions/module_functions.h"
#include "unwind/prologue/prologue.h"

struct prologue_source;

/* Both are borrowed. Only NO_MEMORY fails. */
MUST_CHECK enum status prologue_source_create(struct module_code *code,
                                              struct module_functions *functions,
                                              struct prologue_source **out);
void prologue_source_destroy(struct prologue_source *source);

/*
 * Is the function entered by exceptions alone: from a table of vectors (code_is_vector), and called
 * by nobody? It need not return to what was interrupted: what is not expected ends in a loop.
 */
bool prologue_source_is_trap_entry(struct prologue_source *source,
                                   const struct code_function *function);

/*
 * The rows of the function that holds `vaddr`. NOT_FOUND: no function; UNSUPPORTED: too much work;
 * NO_MEMORY. Valid until the next call.
 */
MUST_CHECK enum status prologue_source_rows(struct prologue_source *source, uint64_t vaddr,
                                            const struct row_table **out);

/*
 * The analysis itself of the function that holds `vaddr`; not cached for long: valid until the next
 * call.
 */
MUST_CHECK enum status prologue_source_analyse(struct prologue_source *source, uint64_t vaddr,
                                               const struct prologue **out);

/* An analysis with what it began with, for whom explains it. */
struct recorded_analysis {
    struct code_function function; /* set also where its analysis fails */
    struct prologue *prologue;     /* owned, as the arrays are */
    struct prologue_arrival *arrivals;
    size_t arrival_count;
    struct landing_pad *landing_pads;
    size_t landing_pad_count;
};

/*
 * Analyses the function that holds `vaddr`, as for its rows. As prologue_source_analyse; valid
 * until the next call, and to be freed by recorded_analysis_deinit before the source is.
 */
MUST_CHECK enum status prologue_source_record(struct prologue_source *source, uint64_t vaddr,
                                              struct recorded_analysis *out);
void recorded_analysis_deinit(struct recorded_analysis *record);

#endif
