/* SPDX-License-Identifier: MIT */
/*
 * What the files of the audit have in common: audit.c pairs the instructions with both rows and
 * classifies their places, audit_verdict.c compares two rows, audit_starts.c the starts of
 * functions, audit_coverage.c counts bytes, audit_suspects.c decides which of two rows is wrong.
 */
#ifndef UNWIND_AUDIT_AUDIT_PRIVATE_H
#define UNWIND_AUDIT_AUDIT_PRIVATE_H

#include "unwind/audit/audit.h"
#include "unwind/prologue/value.h"

/* The rules of a row for CFA and return address. */
struct answer {
    struct rule cfa, ra;
    int32_t cfa_add;
    bool given; /* there is a row; false: the other members are not valid */
};

struct counted_insn { /* an instruction that is counted */
    uint64_t vaddr, target_vaddr;
    uint8_t size, verdict;
    uint8_t flow;
    bool leaves; /* it returns, or jumps out of the FDE */
    bool has_state;
    struct value sp, fp; /* their values before it; valid if has_state */
    struct answer cfi, analysed;
    /* value of SP after it; like `returns` set only from the FDE's first suspect on */
    struct value sp_after;
    bool returns; /* it returns to the caller, or is a tail call, with SP as at entry */
};

/*
 * Changes AUDIT_SUSPECT to AUDIT_WRONG among an FDE's places (sorted by address), except where a
 * path leads from the place to a return with SP as at entry: there the analysis must be right about
 * SP, and the CFI wrong.
 */
void audit_confirm_suspects(struct counted_insn *places, size_t count);

/*
 * Adds the size of the image's executable ranges to out->code_bytes, and of what the FDEs of `cfi`
 * cover in them to out->covered_bytes.
 */
void audit_coverage(struct cfi *cfi, const struct elf_image *image, struct audit *out);

/* Whether `value` is the value that register `reg` had at the function's entry; NULL: false. */
bool audit_is_entry_value(const struct value *value, unsigned reg);

/*
 * Whether `row` has the rules for CFA and return address that hold at a function's first
 * instruction.
 */
bool audit_is_entry_row(const struct row *row, const struct arch *arch);

/* Whether the row has a CFA, or says that there is no caller; NULL: false. */
bool audit_answers(const struct row *row);

/*
 * Returns why the CFI's row `cfi` (NULL: there is none) cannot be compared, an enum
 * audit_exclusion; AUDIT_EXCLUSION_COUNT: it can be.
 */
unsigned audit_excluded(const struct arch *arch, const struct row *cfi);

/*
 * Compares the CFI's row `cfi`, for which audit_excluded returned AUDIT_EXCLUSION_COUNT, with the
 * row `analysed` that the analysis made from `state`. `analysed` or `state` NULL: AUDIT_UNKNOWN.
 */
enum audit_verdict audit_compare(const struct arch *arch, const struct row *cfi,
                                 const struct row *analysed, const struct state *state);

#endif
