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

/* Where in its function an instruction is; the first that holds. */
enum audit_kind {
    AUDIT_FRAGMENT,       /* in an FDE that does not begin in a function's entry state: f.cold */
    AUDIT_REALIGNED,      /* SP was rounded down by an unknown amount */
    AUDIT_ALLOCA,         /* SP is an unknown distance from the CFA */
    AUDIT_EPILOGUE,       /* from the first rise of SP to the return or the tail call */
    AUDIT_PROLOGUE,       /* up to the last change of the frame before the first branch or call */
    AUDIT_AFTER_EPILOGUE, /* other code behind the first return or tail call */
    AUDIT_BODY,
};
#define AUDIT_KIND_COUNT 7

enum audit_verdict {
    AUDIT_AGREE,
    AUDIT_WRONG,
    AUDIT_UNKNOWN, /* the analysis has no answer */
    /* the analysis does not know the register of the CFI's CFA; or the handler of an exception */
    AUDIT_INCOMPARABLE,
    /*
     * not counted: the CFI ignores that an instruction moved its register, on the way to a return
     * with SP as at the entry
     */
    AUDIT_SUSPECT,
};
#define AUDIT_VERDICT_COUNT 4 /* verdicts that are counted: without AUDIT_SUSPECT */

/* Why a place is not counted. */
enum audit_exclusion {
    AUDIT_NO_ROW,         /* the FDE has no row there, or none with a CFA */
    AUDIT_CFA_EXPRESSION, /* DW_CFA_def_cfa_expression */
    AUDIT_OUTERMOST,      /* the return address is undefined: there is no caller */
    AUDIT_RA_ELSEWHERE,   /* in another register, or given by an expression */
    AUDIT_PLT,
    AUDIT_SIGNAL_FRAME,
    AUDIT_PADDING,
    AUDIT_CFI_BEHIND, /* AUDIT_SUSPECT */
    AUDIT_DATA,       /* counts bytes, not instructions: none was found there */
};
#define AUDIT_EXCLUSION_COUNT 9

/* Return "after-epilogue", "wrong", "padding" …; static. */
const char *audit_kind_name(enum audit_kind kind);
const char *audit_verdict_name(enum audit_verdict verdict);
const char *audit_exclusion_name(enum audit_exclusion exclusion);

struct audit {
    enum trust truth;
    size_t fde_count;
    uint64_t code_bytes, covered_bytes; /* in executable sections: all; under an FDE */
    uint64_t places[AUDIT_KIND_COUNT][AUDIT_VERDICT_COUNT]; /* instructions */
    uint64_t calls[AUDIT_KIND_COUNT][AUDIT_VERDICT_COUNT];  /* the calls among `places` */
    uint64_t excluded[AUDIT_EXCLUSION_COUNT];
};

struct audit_place {
    uint64_t vaddr;
    enum audit_kind kind;
    enum audit_verdict verdict;
    const struct row *cfi, *analysed; /* CFA and RA only; analysed: NULL: no row by analysis */
};

/* Functions that an audit calls while it runs; each may be NULL. */
struct audit_watch {
    /* For each place that does not agree, suspects too, by address within an FDE. */
    void (*report)(void *context, const struct audit_place *place);
    /* After each FDE; `done` of `all` FDEs are done. */
    void (*progress)(void *context, size_t done, size_t all);
    void *context;
};

/*
 * Audits `module`, which is open and whose rows are `rows`. With module_rows_set_code_only the
 * functions are those that a search of the code finds. NOT_FOUND: the file has no CFI. UNSUPPORTED:
 * no instruction set for its architecture, or no code. NO_MEMORY.
 */
MUST_CHECK enum status audit_module(struct module_rows *rows, struct module_set *set,
                                    struct module *module, const struct audit_watch *watch,
                                    struct audit *out);

/* Returns the CFI that is the truth, owned by `rows`; NULL: none. */
struct cfi;
struct cfi *audit_truth(struct module_rows *rows, enum trust *source);

/* Starts of functions that were found, compared with FDEs (in the entry state) and symbols. */
struct audit_starts {
    uint64_t found;    /* within FDEs and sized symbols; without fragments and PLTs */
    uint64_t right;    /* of `found`: an FDE or symbol starts there, too */
    uint64_t expected; /* starts by FDEs and symbols */
};

/* Compares the starts of functions in `module`. Fails as audit_module. */
MUST_CHECK enum status audit_starts(struct module_rows *rows, struct module_set *set,
                                    struct module *module, struct audit_starts *out);

#endif
