/* From the state before an instruction to the row that holds there. Private to prologue*. */
#ifndef UNWIND_PROLOGUE_ROWS_H
#define UNWIND_PROLOGUE_ROWS_H

#include "unwind/row.h"
#include "unwind/value.h"

/* Fills everything but the range. A state that does not tell the CFA gives a row with CFA_UNKNOWN. */
void state_to_row(const struct state *state, const struct arch *arch, struct row *row);

#endif
