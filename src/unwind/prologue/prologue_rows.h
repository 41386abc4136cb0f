/* SPDX-License-Identifier: MIT */
/* Makes the row that holds at an instruction from the state before it. */
#ifndef UNWIND_PROLOGUE_PROLOGUE_ROWS_H
#define UNWIND_PROLOGUE_PROLOGUE_ROWS_H

#include "unwind/prologue/value.h"
#include "unwind/row/row.h"

/*
 * Fills `row`, which row_init has made, with the rules that hold in `state`; leaves its range. If
 * the CFA or the return address is not known, the CFA's rule is CFA_UNKNOWN. `dynamic`: SP is not
 * always known in the function (alloca), so the CFA is computed from the frame pointer if possible.
 */
void state_to_row(const struct state *state, const struct arch *arch, bool dynamic,
                  struct row *row);

/* The place that a row computes the CFA from, and why (docs/decisions/0007). */
enum cfa_choice {
    CHOICE_NONE,       /* the CFA is not known */
    CHOICE_FP_DYNAMIC, /* the frame pointer, since SP is not always known in the function */
    CHOICE_FP_KEPT,    /* the frame pointer, at arch->frame_cfa_off from the CFA */
    CHOICE_PRESERVED,  /* SP, else the frame pointer, else a register that calls preserve */
    CHOICE_SLOT,       /* a word that is saved in the realigned frame */
    CHOICE_SCRATCH,    /* a register that calls do not preserve */
};

/* Why the row made of a state is complete, or has no CFA. */
enum row_reason {
    ROW_COMPLETE,
    ROW_OUTERMOST, /* the code starts a process or a thread: there is no caller */
    ROW_NO_CFA,
    ROW_SP_ABOVE, /* SP is above its entry value: the state is wrong */
    ROW_NO_RA,    /* the row has no CFA, as the return address is lost */
};

/*
 * Returns why state_to_row makes the row that it makes of `state`, and sets *choice to what its CFA
 * is computed from, even if the row has no CFA for another reason.
 */
enum row_reason state_row_reason(const struct state *state, const struct arch *arch, bool dynamic,
                                 enum cfa_choice *choice);

/*
 * Whether two states that differ at most in `registers` (a mask), and if `slots` in slots,
 * certainly give the same row; false: perhaps not. Cheaper than making both rows.
 */
bool state_same_row(const struct state *a, const struct state *b, const struct arch *arch,
                    uint64_t registers, bool slots);

#endif
