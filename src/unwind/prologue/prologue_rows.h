/* SPDX-License-Identifier: MIT */
/* From the state before an instruction to the row that holds there. */
#ifndef UNWIND_PROLOGUE_PROLOGUE_ROWS_H
#define UNWIND_PROLOGUE_PROLOGUE_ROWS_H

#include "unwind/prologue/value.h"
#include "unwind/row/row.h"

/*
 * Fills everything but the range. A state that does not tell the CFA gives a row with CFA_UNKNOWN.
 * `dynamic`: the function's stack pointer is not always known (alloca): what the frame pointer
 * tells is preferred then.
 */
void state_to_row(const struct state *state, const struct arch *arch, bool dynamic,
                  struct row *row);

/* What a row's CFA counts from, and why; see docs/decisions/0007. */
enum cfa_choice {
    CHOICE_NONE,       /* nothing that is known tells the CFA */
    CHOICE_FP_DYNAMIC, /* the frame pointer, since SP is not always known in the function */
    CHOICE_FP_KEPT,    /* the frame pointer, which stands where compilers put it */
    CHOICE_PRESERVED,  /* SP, else the frame pointer, else a register that calls preserve */
    CHOICE_SLOT,       /* a word of the realigned frame */
    CHOICE_SCRATCH,    /* a register that calls do not preserve */
};

/* Why a state's row is as it is. */
enum row_reason {
    ROW_COMPLETE,
    ROW_OUTERMOST, /* the code starts a process or a thread: there is no caller */
    ROW_NO_CFA,
    ROW_SP_ABOVE, /* SP is above its entry value: the state is wrong */
    ROW_NO_RA,    /* the return address is lost */
};

/* For whom explains state_to_row's answer. *choice: of a CFA that the row may not have any more. */
enum row_reason state_row_reason(const struct state *state, const struct arch *arch, bool dynamic,
                                 enum cfa_choice *choice);

/*
 * Do both states certainly give the same row, when they differ in `registers` (a mask) only, and in
 * the slots if `slots` is set? Cheap: most instructions change nothing that a row tells of.
 */
bool state_same_row(const struct state *a, const struct state *b, const struct arch *arch,
                    uint64_t registers, bool slots);

#endif
