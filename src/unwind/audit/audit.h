/* SPDX-License-Identifier: MIT */
/*
 * How far prologue analysis may be trusted on one file: at every instruction that the file's own
 * CFI covers, the row by analysis is compared with the CFI's. Nothing is printed here.
 *
 * The truth is .debug_frame (of the file or of its debug file) or .eh_frame, whichever has more
 * FDEs. Compared are the CFA and the place of the return address. The two rows may count from
 * different registers: then what the analysis knows of the CFI's register tells whether they mean
 * the same address. The return address may be in several places at once, and each that the analysis
 * proves to hold it is right.
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
    AUDIT_FRAGMENT,       /* of an FDE that does not begin in a function's entry state: f.cold */
    AUDIT_REALIGNED,      /* SP was rounded down by an unknown amount */
    AUDIT_ALLOCA,         /* SP is an unknown distance from the CFA */
    AUDIT_EPILOGUE,       /* from where SP rises up to the return or the tail call */
    AUDIT_PROLOGUE,       /* up to the last change of the frame before the first branch or call */
    AUDIT_AFTER_EPILOGUE, /* other code behind the first return or tail call */
    AUDIT_BODY,
};
#define AUDIT_KIND_COUNT 7

enum audit_verdict {
    AUDIT_AGREE,
    AUDIT_WRONG,
    AUDIT_UNKNOWN,      /* the analysis has no answer */
    AUDIT_INCOMPARABLE, /* the CFI counts from a register of which the analysis knows nothing */
    /*
     * the CFI does not know that an instruction moved its register, on the way to a return with SP
     * as at the entry: not counted
     */
    AUDIT_SUSPECT,
};
#define AUDIT_VERDICT_COUNT 4 /* that count */

/* Why a place is not counted. */
enum audit_exclusion {
    AUDIT_NO_ROW,         /* the FDE has no row there, or none that gives a CFA */
    AUDIT_CFA_EXPRESSION, /* DW_CFA_def_cfa_expression */
    AUDIT_OUTERMOST,      /* the return address is undefined: there is no caller */
    AUDIT_RA_ELSEWHERE,   /* in another register, or given by an expression */
    AUDIT_PLT,
    AUDIT_SIGNAL_FRAME,
    AUDIT_PADDING,
    AUDIT_CFI_BEHIND, /* AUDIT_SUSPECT */
    AUDIT_DATA,       /* bytes, not instructions: no instruction was found there */
};
#define AUDIT_EXCLUSION_COUNT 9

/* "after-epilogue", "wrong", "padding" …; static storage. */
const char *audit_kind_name(enum audit_kind kind);
const char *audit_verdict_name(enum audit_verdict verdict);
const char *audit_exclusion_name(enum audit_exclusion exclusion);

struct audit {
    enum trust truth;
    size_t fde_count;
    uint64_t code_bytes, covered_bytes; /* of the executable sections; those under an FDE */
    uint64_t places[AUDIT_KIND_COUNT][AUDIT_VERDICT_COUNT];
    uint64_t calls[AUDIT_KIND_COUNT][AUDIT_VERDICT_COUNT]; /* those of them that are calls */
    uint64_t excluded[AUDIT_EXCLUSION_COUNT];
};

struct audit_place {
    uint64_t vaddr;
    enum audit_kind kind;
    enum audit_verdict verdict;
    const struct row *cfi, *analysed; /* analysed: NULL when there is none */
};

/* Whom an audit reports to while it goes on; each may be NULL. */
struct audit_watch {
    /* Each place that does not agree, in the order of addresses within an FDE. */
    void (*report)(void *context, const struct audit_place *place);
    /* After each FDE: how many are done, of how many. */
    void (*progress)(void *context, size_t done, size_t all);
    void *context;
};

/*
 * NOT_FOUND: the file has no CFI. UNSUPPORTED: no instruction set for its architecture, or no code.
 * NO_MEMORY. With module_rows_set_code_only the functions are those that the code tells of.
 */
MUST_CHECK enum status audit_module(struct module_rows *rows, struct module_set *set,
                                    struct module *module, const struct audit_watch *watch,
                                    struct audit *out);

/* The CFI that is the truth; NULL: there is none. */
struct cfi;
struct cfi *audit_truth(struct module_rows *rows, enum trust *source);

/* Starts of functions found, beside those that FDEs (in the entry state) and symbols tell of. */
struct audit_starts {
    uint64_t found;    /* starts, fragments not counted, where FDEs or symbols tell what is there */
    uint64_t right;    /* of these */
    uint64_t expected; /* by FDEs and symbols */
};

/* As audit_module. */
MUST_CHECK enum status audit_starts(struct module_rows *rows, struct module_set *set,
                                    struct module *module, struct audit_starts *out);

#endif
