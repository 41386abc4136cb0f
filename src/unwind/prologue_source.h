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

#endif
