/* SPDX-License-Identifier: MIT */
/* Writes the row at the address in question, and how it was chosen. Private to explain*. */
#ifndef UNWIND_EXPLAIN_EXPLAIN_ROW_H
#define UNWIND_EXPLAIN_EXPLAIN_ROW_H

#include "unwind/explain/explain_plan.h"
#include "unwind/row/row.h"

/*
 * Formats the row that can be made of `state`: "rsp+16 ra=c-8 rbx=c-16"; "u": none can. Returns
 * `buffer`.
 */
#define EXPLAINED_ROW_MAX 4096
const char *explained_row_format(const struct state *state, const struct plan *plan,
                                 char buffer[EXPLAINED_ROW_MAX]);

/*
 * Explains to `out` the row of `state`, the state before the instruction at the address in
 * question.
 */
void explained_row_write(const struct plan *plan, const struct state *state, FILE *out);

#endif
