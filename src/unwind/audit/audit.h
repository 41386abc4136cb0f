/* SPDX-License-Identifier: MIT */
/*
 * Measures how reliable prologue analysis is on one file: compares the row by analysis with the
 * CFI's at every instruction that the file's own CFI covers. Prints nothing.
 *
 * The truth is .debug_frame (of the file or of its debug file) or .eh_frame, whichever has more
 * FDEs. The CFA and the place of the return address are compared. If the two rows compute the CFA
 * from different registers, the analysis' value of the CFI's register decides whether the addresses
 * are equal. The return address may be in several places at once; each that the analysis proves to
 * hold it is right.
 */
#ifndef UNWIND_AUDIT_AUDIT_H
#define UNWIND_AUDIT_AUDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "symbol/module.h"
#include "unwind/module_rows.h"
#include "unwind/row/row.h"

/* The part of its function that an instruction is in; if several apply, the first of them. */
enum audit_kind {
    AUDIT_FRAGMENT,       /* in an FDE whose first row is not that of a function's entry: f.cold */
    AUDIT_REALIGNED,      /* SP was rounded down by an unknown amount */
    AUDIT_ALLOCA,         /* SP is an unknown distance from the CFA */
    AUDIT_EPILOGUE,       /* from the first rise of SP to the return or the tail call */
    AUDIT_PROLOGUE,       /* up to the last change of the frame before the first branch or call */
    AUDIT_AFTER_EPILOGUE, /* other code after the first return or tail call */
    AUDIT_BODY,
};
#define AUDIT_KIND_COUNT 7

enum audit_verdict {
    AUDIT_AGREE,
    AUDIT_WRONG,
    AUDIT_UNKNOWN, /* the analysis of code has no row for the instruction */
    /*
     * the analysis does not know the value of the register that the CFI's CFA is computed from; or
     * its row is that of an exception handler
     */
    AUDIT_INCOMPARABLE,
    /*
     * not counted as wrong: the CFI has no new row after an instruction that changed the register
     * of its CFA, and SP is as at the entry when the function returns
     */
    AUDIT_SUSPECT,
};
#define AUDIT_VERDICT_COUNT 4 /* number of verdicts that are counted: all but AUDIT_SUSPECT */

/* Why an instruction is not counted in `places`. */
enum audit_exclusion {
    AUDIT_NO_ROW, /* the FDE has no row there, or none with a CFA */
    /* the CFI computes the CFA with an expression (DW_CFA_def_cfa_expression) */
    AUDIT_CFA_EXPRESSION,
    AUDIT_OUTERMOST,    /* the return address is undefined: there is no caller */
    AUDIT_RA_ELSEWHERE, /* the return address is in another register, or given by an expression */
    AUDIT_PLT,
    AUDIT_SIGNAL_FRAME,
    AUDIT_PADDING,
    AUDIT_CFI_BEHIND, /* its verdict is AUDIT_SUSPECT */
    AUDIT_DATA,       /* no instructions were found there; counts bytes, not instructions */
};
#define AUDIT_EXCLUSION_COUNT 9

/* Return the value's name: "after-epilogue", "wrong", "padding" …; static storage. */
const char *audit_kind_name(enum audit_kind kind);
const char *audit_verdict_name(enum audit_verdict verdict);
const char *audit_exclusion_name(enum audit_exclusion exclusion);

struct audit {
    enum trust truth;
    size_t fde_count;
    /* bytes in executable sections: all of them; those that an FDE covers */
    uint64_t code_bytes, covered_bytes;
    /* numbers of compared instructions, by kind and verdict */
    uint64_t places[AUDIT_KIND_COUNT][AUDIT_VERDICT_COUNT];
    uint64_t calls[AUDIT_KIND_COUNT][AUDIT_VERDICT_COUNT]; /* those of `places` that are calls */
    uint64_t excluded[AUDIT_EXCLUSION_COUNT];
};

struct audit_place {
    uint64_t vaddr;
    enum audit_kind kind;
    enum audit_verdict verdict;
    /* only CFA and RA are set; analysed NULL: no row by analysis */
    const struct row *cfi, *analysed;
};

/* Functions that audit_module calls while it runs; each may be NULL. */
struct audit_watch {
    /*
     * Called for each instruction whose verdict is not AUDIT_AGREE, suspects too; within an FDE in
     * the order of addresses. *place is valid during the call.
     */
    void (*report)(void *context, const struct audit_place *place);
    /* Called after each FDE; `done` of `all` FDEs are done. */
    void (*progress)(void *context, size_t done, size_t all);
    void *context;
};

/*
 * Audits `module`, which is open and whose rows are `rows`, and fills *out. After
 * module_rows_set_code_only the functions are those that a search of the code finds. NOT_FOUND: the
 * file has no CFI. UNSUPPORTED: its architecture has no instruction set here, or it has no code.
 * NO_MEMORY.
 */
MUST_CHECK enum status audit_module(struct module_rows *rows, struct module_set *set,
                                    struct module *module, const struct audit_watch *watch,
                                    struct audit *out);

/*
 * Returns the CFI that an audit compares with, owned by `rows`, and sets *source to
 * TRUST_DEBUG_FRAME or TRUST_EH_FRAME; NULL: the file has no CFI.
 */
struct cfi;
struct cfi *audit_truth(struct module_rows *rows, enum trust *source);

/*
 * Counts of function starts that were found, compared with FDEs that begin in a function's entry
 * state and with symbols of known size.
 */
struct audit_starts {
    uint64_t found;    /* starts found within these FDEs and symbols; without fragments and PLTs */
    uint64_t right;    /* those of `found` at which an FDE or symbol starts, too */
    uint64_t expected; /* number of starts of functions by FDEs and symbols */
};

/*
 * Compares the function starts that module_rows_functions finds in `module`, which is open, with
 * FDEs and symbols. Fails as audit_module.
 */
MUST_CHECK enum status audit_starts(struct module_rows *rows, struct module_set *set,
                                    struct module *module, struct audit_starts *out);

#endif
