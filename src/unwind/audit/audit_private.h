/* SPDX-License-Identifier: MIT */
/*
 * What the files of the audit share: audit.c takes the instructions together with both rows and
 * tells where in the function they are, audit_verdict.c compares two rows, audit_starts.c the
 * starts of functions, audit_coverage.c counts bytes, audit_suspects.c tells whose mistake it is
 * that rows differ.
 */
#ifndef UNWIND_AUDIT_AUDIT_PRIVATE_H
#define UNWIND_AUDIT_AUDIT_PRIVATE_H

#include "unwind/audit/audit.h"
#include "unwind/prologue/value.h"

/* What a row says of the frame, without the other registers. */
struct answer {
    struct rule cfa, ra;
    int32_t cfa_add;
    bool given;
};

struct counted_insn { /* an instruction that is counted */
    uint64_t vaddr, target_vaddr;
    uint8_t size, verdict;
    uint8_t flow;
    bool leaves; /* returns, or jumps out of the FDE */
    bool has_state;
    struct value sp, fp; /* before it, when has_state */
    struct answer cfi, analysed;
    struct value sp_after; /* known where a suspect came before it in the FDE, as is: */
    bool returns;          /* to the caller, or by a tail call, with SP as at entry */
};

/*
 * That the CFI is behind its code is the analysis' word against the CFI's: it is proved where a
 * path leads on to a return with SP as at entry, at which no other SP can be. All other suspects of
 * the FDE's places (ascending) become wrong.
 */
void audit_confirm_suspects(struct counted_insn *places, size_t count);

/*
 * How much of the executable ranges the FDEs cover: code_bytes and covered_bytes of `out`, which
 * are 0.
 */
void audit_coverage(struct cfi *cfi, const struct elf_image *image, struct audit *out);

bool audit_in_plt(struct elf_image *image, uint64_t vaddr);

/* Is it what the register held when the function was entered? `value` may be NULL. */
bool audit_is_entry_value(const struct value *value, unsigned reg);

/* Is it the row of a function's first instruction? */
bool audit_is_entry_row(const struct row *row, const struct arch *arch);

/* Does the row (may be NULL) say anything of the caller? */
bool audit_answers(const struct row *row);

/*
 * Why no row can be compared with the CFI's (NULL: there is none); AUDIT_EXCLUSION_COUNT: it can.
 */
unsigned audit_excluded(const struct arch *arch, const struct row *cfi);

/*
 * A row that was not excluded, and the analysis' (may be NULL) with the state it was made of (may
 * be NULL).
 */
enum audit_verdict audit_compare(const struct arch *arch, const struct row *cfi,
                                 const struct row *analysed, const struct state *state);

#endif
