/* From the state before an instruction to the row that holds there. Private to prologue*. */
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

/*
 * Do both states certainly give the same row, when they differ in `registers` (a mask) only, and in
 * the slots if `slots` is set? Cheap: most instructions change nothing that a row tells of.
 */
bool state_same_row(const struct state *a, const struct state *b, const struct arch *arch,
                    uint64_t registers, bool slots);

#endif
