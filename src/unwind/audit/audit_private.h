/* SPDX-License-Identifier: MIT */
/*
 * Shared by the files of the audit: audit.c pairs the instructions with both rows and classifies
 * their places, audit_verdict.c compares two rows, audit_starts.c the starts of functions,
 * audit_coverage.c counts bytes, audit_suspects.c decides which of two rows is wrong.
 */
#ifndef UNWIND_AUDIT_AUDIT_PRIVATE_H
#define UNWIND_AUDIT_AUDIT_PRIVATE_H

#include "unwind/audit/audit.h"
#include "unwind/prologue/value.h"

/* CFA and return address of a row. */
struct answer {
    struct rule cfa, ra;
    int32_t cfa_add;
    bool given; /* false: there is no row */
};

struct counted_insn { /* an instruction that is counted */
    uint64_t vaddr, target_vaddr;
    uint8_t size, verdict;
    uint8_t flow;
    bool leaves; /* returns, or jumps out of the FDE */
    bool has_state;
    struct value sp, fp; /* before it, when has_state */
    struct answer cfi, analysed;
    struct value sp_after; /* this and `returns` are set behind the FDE's first suspect only */
    bool returns;          /* to the caller, or by a tail call, with SP as at entry */
};

/*
 * Makes suspects among the places of an FDE (ascending) wrong, except those from which a path leads
 * to a return with SP as at entry: there the analysis must be right about SP, and the CFI wrong.
 */
void audit_confirm_suspects(struct counted_insn *places, size_t count);

/* Adds the size of the executable ranges, and of what FDEs cover, to code_ and covered_bytes. */
void audit_coverage(struct cfi *cfi, const struct elf_image *image, struct audit *out);

bool audit_in_plt(struct elf_image *image, uint64_t vaddr);

/* Is `value` (may be NULL) that of `reg` at the function's entry? */
bool audit_is_entry_value(const struct value *value, unsigned reg);

/* Has `row` the rules of a function's first instruction? */
bool audit_is_entry_row(const struct row *row, const struct arch *arch);

/* Does the row (may be NULL) have a CFA, or say that there is no caller? */
bool audit_answers(const struct row *row);

/*
 * Returns why the CFI's row (NULL: none) cannot be compared, an enum audit_exclusion;
 * AUDIT_EXCLUSION_COUNT: it can.
 */
unsigned audit_excluded(const struct arch *arch, const struct row *cfi);

/*
 * Compares a CFI's row that was not excluded with the analysis' row, made from `state`. Both may be
 * NULL: AUDIT_UNKNOWN.
 */
enum audit_verdict audit_compare(const struct arch *arch, const struct row *cfi,
                                 const struct row *analysed, const struct state *state);

#endif
