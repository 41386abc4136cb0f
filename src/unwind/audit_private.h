/*
 * What the files of the audit share: audit.c takes the instructions together with both rows and tells where in the function they are,
 * audit_verdict.c compares two rows, audit_starts.c the starts of functions.
 */
#ifndef UNWIND_AUDIT_PRIVATE_H
#define UNWIND_AUDIT_PRIVATE_H

#include "unwind/audit.h"
#include "unwind/value.h"

bool audit_in_plt(struct elf_image *image, uint64_t vaddr);

/* Is it what the register held when the function was entered? `value` may be NULL. */
bool audit_is_entry_value(const struct value *value, unsigned reg);

/* Is it the row of a function's first instruction? */
bool audit_is_entry_row(const struct row *row, const struct arch *arch);

/* Does the row (may be NULL) say anything of the caller? */
bool audit_answers(const struct row *row);

/* Why no row can be compared with the CFI's (NULL: there is none); AUDIT_EXCLUSION_COUNT: it can. */
unsigned audit_excluded(const struct arch *arch, const struct row *cfi);

/* A row that was not excluded, and the analysis' (may be NULL) with the state it was made of (may be NULL). */
enum audit_verdict audit_compare(const struct arch *arch, const struct row *cfi,
                                 const struct row *analysed, const struct state *state);

#endif
